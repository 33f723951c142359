//! Point 4: objects and lists, whatever their signs. Nothing is a syntax error; only depth is
//! limited.

use std::collections::HashSet;

use super::gaps::{skip_separators, skip_space};
use super::quotes::begins_key;
use super::repairs::Repairs;
use super::signs::{Bracket, closer, is_colon, is_separator, opener};
use super::strings::string_prefix;
use super::token::Token;
use super::value::{Item, Pair, Value};
use crate::cursor::Cursor;
use crate::{Fault, FaultKind, RepairKind};

/// The most brackets in brackets that are read.
const DEEPEST: usize = 64;

/// The most keys and values of one answer. A model that repeats itself without end says no more.
const MOST_VALUES: usize = 1 << 16;

/// The longest key that is looked for behind a wrong brace.
const LONGEST_KEY_AHEAD: usize = 256;

/// Reads groups of brackets, one after the other.
#[derive(Debug)]
pub(crate) struct Parser<'t> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) repairs: Repairs,
    depth: usize,
    /// How many keys and values there were.
    values: usize,
    /// How many objects the cursor is in.
    objects: usize,
    /// A key that closed the list it stands in, and waits for its object.
    key_in_list: Option<Token<'t>>,
    /// The end of the text was noticed.
    truncated: bool,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(cursor: Cursor<'t>) -> Self {
        Self {
            cursor,
            repairs: Repairs::default(),
            depth: 0,
            values: 0,
            objects: 0,
            key_in_list: None,
            truncated: false,
        }
    }

    /// The group at the cursor, which stands on an opening bracket.
    pub(crate) fn group(&mut self) -> Result<Item<'t>, Fault> {
        let start = self.cursor.offset();
        let opening = self.cursor.bump().unwrap_or('[');
        if !matches!(opening, '{' | '[') {
            self.note(RepairKind::Bracket, start);
        }
        self.nested(start, opener(opening).unwrap_or(Bracket::Square))
    }

    /// The object that begins at the cursor with its first key.
    pub(crate) fn object_without_brace(&mut self) -> Result<Item<'t>, Fault> {
        let start = self.cursor.offset();
        self.note(RepairKind::MissingBrace, start);
        self.nested(start, Bracket::Brace)
    }

    fn nested(&mut self, start: usize, bracket: Bracket) -> Result<Item<'t>, Fault> {
        if self.depth == DEEPEST {
            return Err(Fault::new(FaultKind::TooDeep { limit: DEEPEST }, start));
        }
        self.depth += 1;
        self.values += 1;
        let value = match bracket {
            Bracket::Brace => self.object(start)?,
            Bracket::Square | Bracket::Round => self.list(bracket)?,
        };
        self.depth -= 1;
        Ok(Item { start, end: self.cursor.offset(), value })
    }

    /// The inside of an object; of braces without a colon, of a set, which is a list.
    fn object(&mut self, start: usize) -> Result<Value<'t>, Fault> {
        self.objects += 1;
        let (mut pairs, mut unpaired) = (Vec::new(), Vec::new());
        loop {
            if let Some(key) = self.key_in_list.take() {
                self.pair(key, &mut pairs)?;
                continue;
            }
            match self.next(pairs.is_empty() && unpaired.is_empty())? {
                Next::End => break,
                // `{"A": […]}, "B": […]}`: one brace too many.
                Next::Closer(Bracket::Brace) if self.depth == 1 && self.key_ahead() == Some(1) => {
                    self.skip_sign(RepairKind::Closer);
                }
                Next::Closer(Bracket::Brace) => {
                    self.cursor.bump();
                    break;
                }
                Next::Closer(_) => self.skip_sign(RepairKind::Closer),
                Next::Colon => self.skip_sign(RepairKind::Colon),
                Next::Opener => unpaired.push(self.group()?),
                Next::Token => match self.token() {
                    Some(key) if self.at_colon() => self.pair(key, &mut pairs)?,
                    Some(token) => unpaired.push(token.item(&mut self.repairs)),
                    None => break,
                },
            }
        }
        self.objects -= 1;
        // `{"LOC"` at the end of the text: a key that was cut before its colon, and no set.
        let cut_key = self.truncated && matches!(&unpaired[..], [item] if item.is_scalar());
        if pairs.is_empty() && !unpaired.is_empty() && !cut_key {
            self.note(RepairKind::Bracket, start);
            return Ok(Value::List(set(unpaired)));
        }
        for item in unpaired {
            self.note(RepairKind::Unpaired, item.start);
        }
        Ok(Value::Object(pairs))
    }

    /// The value of a key; at the end of the text there is neither. The cursor stands on the colon.
    fn pair(&mut self, key: Token<'t>, pairs: &mut Vec<Pair<'t>>) -> Result<(), Fault> {
        self.skip_colons();
        let (key_start, start) = (key.start, self.cursor.offset());
        let key = key.key(&mut self.repairs);
        let value = match self.cursor.peek() {
            Some(c) if opener(c).is_some() => Some(self.group()?),
            Some(c) if closer(c).is_some() || is_separator(c) => {
                self.note(RepairKind::Unpaired, key_start);
                Some(Item { start, end: start, value: Value::Null })
            }
            _ => self.token().map(|token| token.item(&mut self.repairs)),
        };
        match value {
            Some(value) => pairs.push(Pair { key, value }),
            None => self.note(RepairKind::Unpaired, key_start),
        }
        Ok(())
    }

    /// The inside of a list.
    fn list(&mut self, own: Bracket) -> Result<Value<'t>, Fault> {
        let mut items = Vec::new();
        while self.key_in_list.is_none() {
            match self.next(items.is_empty())? {
                Next::End => break,
                Next::Closer(bracket) if bracket == own => {
                    self.cursor.bump();
                    break;
                }
                Next::Closer(Bracket::Square | Bracket::Round) => {
                    self.skip_sign(RepairKind::Closer);
                    break;
                }
                Next::Closer(Bracket::Brace) => {
                    self.note(RepairKind::Closer, self.cursor.offset());
                    if self.brace_ends_only_a_list() {
                        self.cursor.bump();
                    }
                    break;
                }
                Next::Colon => self.skip_sign(RepairKind::Colon),
                Next::Opener => items.push(self.group()?),
                Next::Token => match self.token() {
                    Some(key) if self.at_colon() => {
                        self.note(RepairKind::KeyInList, key.start);
                        if self.objects > 0 {
                            self.key_in_list = Some(key);
                        } else {
                            items.push(self.object_in_list(key)?);
                        }
                    }
                    Some(token) => items.push(token.item(&mut self.repairs)),
                    None => break,
                },
            }
        }
        Ok(Value::List(items))
    }

    /// The object whose first key stands in a list that is in no object: it goes on as long as keys
    /// follow.
    fn object_in_list(&mut self, key: Token<'t>) -> Result<Item<'t>, Fault> {
        let start = key.start;
        self.objects += 1;
        let mut pairs = Vec::new();
        let mut next = Some(key);
        while let Some(key) = next {
            self.pair(key, &mut pairs)?;
            next = self.key_in_list.take();
            while next.is_none() && matches!(self.next(false)?, Next::Token) {
                match self.token() {
                    Some(key) if self.at_colon() => next = Some(key),
                    Some(token) => self.note(RepairKind::Unpaired, token.start),
                    None => break,
                }
            }
        }
        self.objects -= 1;
        Ok(Item { start, end: self.cursor.offset(), value: Value::Object(pairs) })
    }

    /// Whether a brace in a list stands for the list's own bracket: the one object around goes on
    /// behind it with a key. Else the list lacks its bracket, and the brace is the object's.
    fn brace_ends_only_a_list(&self) -> bool {
        if self.objects != 1 {
            return self.objects == 0;
        }
        self.key_ahead().is_some()
    }

    /// Whether a key in quotes stands behind the brace at the cursor, and how many separators between.
    fn key_ahead(&self) -> Option<usize> {
        let mut ahead = self.cursor.limited(LONGEST_KEY_AHEAD);
        let mut unused = Repairs::default();
        ahead.bump();
        let separators = skip_separators(&mut ahead, &mut unused);
        let letters = string_prefix(&ahead)?;
        ahead.advance(letters);
        begins_key(ahead.rest()).then_some(separators)
    }

    /// Goes to what comes next in an object or list, and notes what is wrong with the separators
    /// before it.
    fn next(&mut self, first: bool) -> Result<Next, Fault> {
        let at = self.cursor.offset();
        if self.values > MOST_VALUES {
            return Err(Fault::new(FaultKind::TooMany { limit: MOST_VALUES }, at));
        }
        let separators = skip_separators(&mut self.cursor, &mut self.repairs);
        let Some(c) = self.cursor.peek() else {
            self.truncated(self.cursor.offset());
            return Ok(Next::End);
        };
        let next = match (closer(c), opener(c)) {
            (Some(bracket), _) => Next::Closer(bracket),
            (None, Some(_)) => Next::Opener,
            (None, None) if is_colon(c) => Next::Colon,
            (None, None) => Next::Token,
        };
        let wanted = usize::from(!first && !matches!(next, Next::Closer(_)));
        if separators != wanted {
            self.note(RepairKind::Separator, at);
        }
        if matches!(c, '｝' | '］' | ')' | '）') {
            self.note(RepairKind::Bracket, self.cursor.offset());
        }
        Ok(next)
    }

    /// A string or word; `None` if the text ends before it does.
    fn token(&mut self) -> Option<Token<'t>> {
        let start = self.cursor.offset();
        self.values += 1;
        let token = Token::read(&mut self.cursor, &mut self.repairs);
        if token.is_none() {
            self.truncated(start);
        }
        token
    }

    fn at_colon(&mut self) -> bool {
        skip_space(&mut self.cursor, &mut self.repairs);
        self.cursor.peek().is_some_and(is_colon)
    }

    fn skip_colons(&mut self) {
        let start = self.cursor.offset();
        let one = self.cursor.take(':');
        self.cursor.skip_while(is_colon);
        let arrow = self.cursor.between(start, self.cursor.offset()).ends_with('=')
            && self.cursor.take('>');
        let mut more = arrow || !one || self.cursor.offset() > start + 1;
        while self.at_colon() {
            self.cursor.skip_while(is_colon);
            more = true;
        }
        if more {
            self.note(RepairKind::Colon, start);
        }
    }

    fn skip_sign(&mut self, kind: RepairKind) {
        self.note(kind, self.cursor.offset());
        self.cursor.bump();
    }

    fn truncated(&mut self, offset: usize) {
        if !self.truncated {
            self.truncated = true;
            self.note(RepairKind::Truncated, offset);
        }
    }

    fn note(&mut self, kind: RepairKind, offset: usize) {
        self.repairs.note(kind, offset);
    }
}

/// The members of a set as Python has them: one of equal texts or numbers.
fn set<'t>(mut members: Vec<Item<'t>>) -> Vec<Item<'t>> {
    let (mut texts, mut constants) = (HashSet::new(), HashSet::new());
    members.retain(|member| match &member.value {
        Value::Text(text) => texts.insert(text.clone()),
        Value::Constant(text) => constants.insert(*text),
        Value::Null | Value::List(_) | Value::Object(_) => true,
    });
    members
}

/// What comes next.
#[derive(Clone, Copy, Debug)]
enum Next {
    End,
    Closer(Bracket),
    Opener,
    Colon,
    Token,
}
