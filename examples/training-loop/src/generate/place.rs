//! Provinces, cities and counties.

use super::draw::Draw;
use super::tables::PLACES;

/// The three upper parts of an address, as written on one waybill.
pub(super) struct Place {
    pub(super) province: String,
    pub(super) city: String,
    pub(super) county: String,
}

/// All cities with their provinces and counties.
pub(super) struct Places(Vec<Vec<&'static str>>);

impl Places {
    pub(super) fn new() -> Self {
        Self(PLACES.lines().map(|line| line.split_whitespace().collect()).collect())
    }

    pub(super) fn draw(&self, draw: &mut Draw) -> Place {
        let line = draw.entry(&self.0);
        let county = line[2 + draw.below(line.len() - 2)];
        // Whoever drops one ending tends to drop the other.
        let short = draw.chance(25);
        Place {
            province: spelled(draw, line[0], if short { 85 } else { 8 }),
            city: spelled(draw, line[1], if short { 75 } else { 5 }),
            county: spelled(draw, county, if short { 20 } else { 2 }),
        }
    }
}

/// The name, in `percent` of 100 cases without its ending.
fn spelled(draw: &mut Draw, name: &str, percent: usize) -> String {
    if draw.chance(percent) { without_ending(name) } else { name }.to_owned()
}

fn without_ending(name: &str) -> &str {
    // Longest first: an ending goes together with the people it is named after.
    const ENDINGS: [&str; 21] = [
        "土家族苗族自治州",
        "傣族景颇族自治州",
        "苗族侗族自治州",
        "朝鲜族自治州",
        "哈萨克自治州",
        "彝族自治州",
        "白族自治州",
        "回族土族自治县",
        "苗族自治县",
        "土族自治县",
        "维吾尔自治区",
        "壮族自治区",
        "回族自治区",
        "自治区",
        "地区",
        "新区",
        "省",
        "市",
        "区",
        "县",
        "盟",
    ];
    let short = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    // One character is not a name that anyone would write.
    short.filter(|short| short.chars().count() > 1).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_city_has_a_province_and_counties() {
        let places = Places::new();
        assert!(places.0.len() > 100);
        for line in &places.0 {
            assert!(line.len() >= 4, "{line:?}");
            assert!(line[0].ends_with(['省', '市', '区']), "{line:?}");
        }
    }

    #[test]
    fn endings_go_but_names_stay() {
        for (name, short) in [
            ("广东省", "广东"),
            ("新疆维吾尔自治区", "新疆"),
            ("广西壮族自治区", "广西"),
            ("内蒙古自治区", "内蒙古"),
            ("宁夏回族自治区", "宁夏"),
            ("湘西土家族苗族自治州", "湘西"),
            ("深圳市", "深圳"),
            ("芒市", "芒市"),
            ("沛县", "沛县"),
        ] {
            assert_eq!(without_ending(name), short);
        }
    }
}
