//! Longer explanations, with examples that run.

#[cfg(feature = "llm")]
#[doc = include_str!("guide/llm.md")]
///
/// See [`ExtractionScores::average`](crate::llm::ExtractionScores::average),
/// [`Matching::Set`](crate::llm::Matching::Set),
/// [`Matching::Multiset`](crate::llm::Matching::Multiset),
/// [`Matching::Grounded`](crate::llm::Matching::Grounded),
/// [`MentionSpans`](crate::llm::MentionSpans), [`Normalisation`](crate::llm::Normalisation),
/// [`near_matches`](crate::llm::near_matches), [`ExtractionRows`](crate::llm::ExtractionRows).
pub mod llm {}

#[doc = include_str!("guide/modes.md")]
///
/// See [`Mode`](crate::Mode), [`Mode::Lenient`](crate::Mode::Lenient),
/// [`Mode::Strict`](crate::Mode::Strict), [`Scheme`](crate::Scheme),
/// [`Mode::Conlleval`](crate::Mode::Conlleval), [`SideBySide`](crate::SideBySide),
/// [`Scheme::detect_as_seqeval`](crate::Scheme::detect_as_seqeval),
/// [`SchemeDetection`](crate::SchemeDetection).
pub mod modes {}

#[cfg(feature = "report")]
#[doc = include_str!("guide/papers.md")]
///
/// See [`ChunkEvaluatorBuilder::style`](crate::ChunkEvaluatorBuilder::style),
/// [`ChunkEvaluatorBuilder::mode`](crate::ChunkEvaluatorBuilder::mode),
/// [`Scheme::detect_as_seqeval`](crate::Scheme::detect_as_seqeval),
/// [`ChunkEvaluatorBuilder::zero_division`](crate::ChunkEvaluatorBuilder::zero_division),
/// [`PaddedTags`](crate::PaddedTags), [`Conlleval`](crate::report::Conlleval),
/// [`Mode::Conlleval`](crate::Mode::Conlleval),
/// [`ChunkReport::average`](crate::ChunkReport::average), [`SideBySide`](crate::SideBySide),
/// [`TagDiagnostics`](crate::TagDiagnostics).
pub mod papers {}

#[doc = include_str!("guide/subwords.md")]
///
/// See [`WordTags`](crate::WordTags), [`PaddedTags`](crate::PaddedTags),
/// [`WordIds`](crate::WordIds), [`Pieces`](crate::Pieces), [`Windows`](crate::Windows),
/// [`Pieces::All`](crate::Pieces::All).
pub mod subwords {}
