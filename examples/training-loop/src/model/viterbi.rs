//! The best path through scores of tags and of tag pairs.

/// The scores of a conditional random field, copied out of its tensors once per batch.
#[derive(Clone, Debug)]
pub struct Viterbi {
    /// `[C, C]`: from, to.
    pub transitions: Vec<f32>,
    /// `[C]`: of the first tag.
    pub start: Vec<f32>,
    /// `[C]`: of the last tag.
    pub stop: Vec<f32>,
}

impl Viterbi {
    /// The best tag path of each row of logits `[B, T, C]`, as long as the row; ties go to the
    /// lowest tag.
    ///
    /// # Errors
    /// A logit that counts is not finite: its row and column.
    pub fn decode(
        &self,
        logits: &[f32],
        width: usize,
        lengths: &[usize],
    ) -> Result<Vec<Vec<u32>>, String> {
        let tags = self.start.len();
        let row_size = width * tags;
        let rows = lengths.iter().enumerate();
        rows.map(|(row, &length)| {
            let logits = &logits[row * row_size..][..length * tags];
            match logits.iter().position(|logit| !logit.is_finite()) {
                Some(place) => {
                    Err(format!("row {row}, column {}: a logit is not finite", place / tags))
                }
                None => Ok(self.best(logits)),
            }
        })
        .collect()
    }

    /// The best path through `logits` `[length, C]`.
    fn best(&self, logits: &[f32]) -> Vec<u32> {
        let tags = self.start.len();
        let mut scores = self.start.clone();
        let mut next = vec![0.0f32; tags];
        let mut from = vec![0u32; logits.len()];
        for (t, logits) in logits.chunks_exact(tags).enumerate() {
            if t > 0 {
                let from = &mut from[t * tags..(t + 1) * tags];
                next.fill(f32::NEG_INFINITY);
                for (tag, (score, row)) in
                    scores.iter().zip(self.transitions.chunks_exact(tags)).enumerate()
                {
                    for ((best, from), transition) in next.iter_mut().zip(&mut *from).zip(row) {
                        let candidate = score + transition;
                        // Strictly greater: of equal paths the one from the lowest tag stays.
                        if candidate > *best {
                            *best = candidate;
                            *from = tag as u32;
                        }
                    }
                }
                std::mem::swap(&mut scores, &mut next);
            }
            for (score, logit) in scores.iter_mut().zip(logits) {
                *score += logit;
            }
        }
        let length = logits.len() / tags;
        if length == 0 {
            return Vec::new();
        }
        for (score, stop) in scores.iter_mut().zip(&self.stop) {
            *score += stop;
        }
        let mut tag = 0;
        for (candidate, score) in scores.iter().enumerate() {
            if *score > scores[tag] {
                tag = candidate;
            }
        }
        let mut path = vec![0u32; length];
        for t in (0..length).rev() {
            path[t] = tag as u32;
            tag = from[t * tags + tag] as usize;
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lowest_tag_and_padding_is_not_read() {
        let flat = Viterbi { transitions: vec![0.0; 9], start: vec![0.0; 3], stop: vec![0.0; 3] };
        let mut logits = [0.0; 18];
        assert_eq!(flat.decode(&logits, 3, &[3, 1]).unwrap(), [vec![0, 0, 0], vec![0]]);
        logits[17] = f32::NAN;
        assert_eq!(flat.decode(&logits, 3, &[0, 2]).unwrap(), [vec![], vec![0, 0]]);
        let error = flat.decode(&logits, 3, &[3, 3]).unwrap_err();
        assert_eq!(error, "row 1, column 2: a logit is not finite");
    }
}
