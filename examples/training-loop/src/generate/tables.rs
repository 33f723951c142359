//! The words that waybills are made of.
//!
//! Written down for this program: facts of geography in `places.txt`, common characters of names
//! and streets here. Part of each table is kept from the training sentences, see
//! [`Draw::entry`](super::draw::Draw::entry).

/// One line for each city: province, city, then its districts and counties.
pub(super) const PLACES: &str = include_str!("places.txt");

/// Surnames of one character, roughly the most frequent first.
pub(super) const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高\
    郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖\
    石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史陶贺毛段郝顾龚邵万覃武钱戴严莫孔向汤\
    温康施牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷申詹欧耿关兰焦俞左柳甘祝包宁尚符舒阮";

/// Surnames of two characters.
pub(super) const LONG_SURNAMES: &str = "欧阳 上官 司马 诸葛 司徒 皇甫 夏侯 尉迟 东方 慕容";

/// Characters of given names.
pub(super) const GIVEN: &str = "伟芳娜敏静秀丽强磊军洋勇艳杰娟涛明超兰霞平刚桂英华玉红玲芬\
    燕云梅珍凤春荣国建文辉志海波斌峰鹏飞鑫宇浩然晨曦子轩梓涵欣怡佳琪雨桐思远博天翔俊凯\
    雪琳璐瑶婷雯倩颖洁莹萍慧巧美娅静香月莺媛瑞凡嘉琼勤贞莉卉叶青昌盛康达安岩中茂进林有\
    坚和彪诚先敬震振壮会思群豪心邦承乐绍功松善厚庆民友裕河哲江皓亮政谦亨奇固之轮翰朗伯\
    宏言若鸣朋昭阳旭昊川岳钰泽诗语沐宸艺可馨菲露蕾彤岚苑滢苗柳纯炜锋烨煜堃淼垚骏骁栋楠";

/// Names that are not built from surname and given name.
pub(super) const OTHER_NAMES: &str = "阿不都·热合曼 买买提·吐尔逊 古丽·阿依木 巴特尔 其其格 \
    卓玛央金 扎西次仁 阿依古丽 乌云其木格 格桑梅朵 艾力·玉素甫 仁青多吉 努尔兰 娜仁托娅";

/// What stands behind or before a surname when there is no given name.
pub(super) const CALLED: &str = "小_ 老_ 阿_ _哥 _姐 _总 _师傅 _老板 _阿姨 _老师 _经理 _医生";

/// What streets, villages and housing estates are called.
pub(super) const STREETS: &str = "人民 解放 中山 建设 和平 胜利 新华 文化 长江 黄河 北京 上海 南京 \
    朝阳 向阳 光明 幸福 友谊 团结 民主 自由 振兴 兴业 创业 科技 工业 学府 师范 体育 公园 湖滨 滨江 \
    滨河 江南 江北 城东 城西 迎宾 迎春 春风 东风 红旗 红星 五一 七一 八一 青年 劳动 民族 民生 复兴 \
    中兴 永兴 永安 长安 平安 太平 安宁 康乐 富民 富强 金桥 银杏 梧桐 桂花 玉兰 牡丹 荷花 丁香 翠竹 \
    青松 柳林 杨柳 桃园 梅园 橘园 南湖 东湖 西湖 北湖 龙泉 凤凰 白云 青山 绿水 石桥 板桥 三桥 十里 \
    大石 双塔 钟楼 鼓楼 文昌 关岳 孔庙 龙王 观音 天后 将军 状元 进士 书院 沙井 横岗 布吉 塘厦 马驹 \
    宝龙 金龙 腾龙 蟠龙 飞龙 九龙 云龙 盘龙 锦绣 锦江 锦华 世纪 时代 未来 星光 阳光 月亮 彩虹 海天 \
    天河 银河 天府 天宁 天目 武夷 泰山 华山 衡山 嵩山 峨眉 昆仑 祁连 秦岭 松花 嘉陵 汉江 湘江 赣江 \
    闽江 珠江 钱江 富春 富水 淮海 渤海 黄海 东海 南海 临港 临河 望江 望湖 望海 观澜 听涛 怡和 怡景 \
    丽景 丽水 御景 龙庭 华庭 名都 名仕 金域 万科 万达 恒大 碧桂 保利 绿地 中海 华润 招商 融创 首开";

/// What a road's name ends with.
pub(super) const ROADS: &str =
    "路 路 路 路 街 街 大道 大街 东路 西路 南路 北路 中路 东街 西街 一路 二路 巷 胡同 里";

/// What a housing estate's or a building's name ends with.
pub(super) const ESTATES: &str = "小区 小区 花园 花园 公寓 新村 家园 苑 名苑 广场 大厦 国际 城 新城 \
    工业园 科技园 产业园 商贸城 批发市场 中学 小学 大学 医院 宿舍 家属院 写字楼";

/// What a town's name ends with.
pub(super) const TOWNS: &str = "镇 镇 镇 街道 街道 乡 开发区 社区";

/// What a village's name ends with.
pub(super) const VILLAGES: &str = "村 村 庄 屯 寨 湾 坝 沟";

/// Where exactly, behind a place that everyone there knows.
pub(super) const NEARBY: &str = "对面 旁边 楼下 隔壁 门口 斜对面 西行50米 往北200米 东南角 后门";

/// Shops and the like.
pub(super) const SHOPS: &str =
    "便利店 菜鸟驿站 丰巢快递柜 菜市场 超市 药店 水果店 物业 门卫室 快递点 理发店 五金店";

/// Words before a name.
pub(super) const NAME_PREFIXES: &str = "收件人 收货人 姓名 联系人 寄件人 收 买家 客户";

/// Words behind a name.
pub(super) const NAME_SUFFIXES: &str = "先生 女士 小姐 收 （收） 亲收 同学";

/// Words before a phone number.
pub(super) const PHONE_PREFIXES: &str = "电话 手机 联系电话 手机号码 手机号 联系方式 Tel 号码 TEL";

/// Words before an address.
pub(super) const ADDRESS_PREFIXES: &str = "地址 收货地址 详细地址 所在地区 寄到 送至 收件地址 发往";

/// Remarks that are no field; `#` stands for a digit.
pub(super) const REMARKS: &str = "请放门卫 易碎轻放 到付 周末送货 麻烦尽快发货 放快递柜 谢谢 订单号######## \
    邮编###### 共#件 货到付款##元 单号SF########## 备注送货前打电话 勿压 发顺丰 不要放驿站 编号####### \
    生鲜易腐 重量#公斤 ##号之前送到 工作日送";

/// Area codes of fixed lines.
pub(super) const AREA_CODES: &str = "010 021 022 023 024 025 027 028 029 0311 0351 0411 0431 0451 0512 0531 \
    0532 0551 0571 0574 0591 0592 0731 0755 0757 0769 0771 0791 0851 0871 0931";

/// What stands between fields.
pub(super) const SEPARATORS: &str = "， , 、 ； ; / | 。";
