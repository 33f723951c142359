//! Input: files and standard input, plain or compressed; and their blocks, which threads share.

mod blocks;
mod compression;
mod feed;
mod open;
mod patient;

pub(crate) use blocks::{Block, Boundary};
pub(crate) use feed::Feed;
pub(crate) use open::{Input, STDIN, name};
