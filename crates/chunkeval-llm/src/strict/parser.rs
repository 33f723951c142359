//! The grammar of Python's literals: what `ast.literal_eval` of Python 3.11 accepts. A reader of
//! data, not an evaluator: names, calls and operators end it, and nothing is ever executed.

use super::lines::{skip_blank_lines, skip_space};
use super::literal::Literal;
use super::number::number;
use super::string::strings;
use crate::cursor::Cursor;
use crate::{Fault, FaultKind};

/// The most brackets in brackets that Python reads.
const DEEPEST: usize = 200;

/// The value of a text.
pub(crate) fn literal(text: &str) -> Result<Literal, Fault> {
    if let Some(offset) = text.find('\0') {
        return Err(Fault::new(FaultKind::Syntax("a null character"), offset));
    }
    let mut parser = Parser { cursor: Cursor::new(text), depth: 0 };
    parser.cursor.skip_while(|c| c == ' ' || c == '\t');
    skip_blank_lines(&mut parser.cursor)?;
    if parser.cursor.peek().is_none() {
        return Err(Fault::new(FaultKind::NoText, 0));
    }
    let value = parser.expressions()?;
    skip_blank_lines(&mut parser.cursor)?;
    match parser.cursor.peek() {
        None => Ok(value),
        Some(_) => Err(parser.syntax("text after the literal")),
    }
}

/// An expression. Which ones a sign or a sum may stand before is a matter of form, not of value.
enum Expression {
    /// A number without a sign.
    Number(Literal),
    /// A number with one.
    Signed(Literal),
    /// Anything else.
    Other(Literal),
    /// The name `set`, of which a call makes the empty set.
    Set,
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    depth: usize,
}

impl Parser<'_> {
    fn syntax(&self, what: &'static str) -> Fault {
        Fault::new(FaultKind::Syntax(what), self.cursor.offset())
    }

    fn no_literal(&self, what: &'static str) -> Fault {
        Fault::new(FaultKind::NotALiteral(what), self.cursor.offset())
    }

    fn skip_space(&mut self) -> Result<(), Fault> {
        skip_space(&mut self.cursor, self.depth > 0)
    }

    /// The whole of a text: a value, or values with commas between them, which are a tuple.
    fn expressions(&mut self) -> Result<Literal, Fault> {
        let first = self.value()?;
        if self.cursor.peek() != Some(',') {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take(',')? && !matches!(self.cursor.peek(), None | Some('\n' | '\r')) {
            items.push(self.value()?);
        }
        Ok(Literal::Tuple(items))
    }

    fn value(&mut self) -> Result<Literal, Fault> {
        self.sum().and_then(|expression| self.settled(expression))
    }

    fn settled(&self, expression: Expression) -> Result<Literal, Fault> {
        match expression {
            Expression::Number(value) | Expression::Signed(value) | Expression::Other(value) => {
                Ok(value)
            }
            Expression::Set => Err(self.no_literal("a name")),
        }
    }

    /// A number plus or minus an imaginary one, or anything without an operator.
    fn sum(&mut self) -> Result<Expression, Fault> {
        let left = self.signed()?;
        let sign = match self.cursor.peek() {
            Some('+') => 1.0,
            Some('-') => -1.0,
            _ => return Ok(left),
        };
        let operator = self.no_literal("an operator");
        self.cursor.bump();
        self.skip_space()?;
        let right = self.signed()?;
        match (left, right) {
            (
                Expression::Number(left) | Expression::Signed(left),
                Expression::Number(Literal::Complex(_, imaginary)),
            ) => {
                let real = match left {
                    Literal::Float(value) => value,
                    Literal::Small(value) => value as f64,
                    Literal::Int(digits) => self.float(&digits)?,
                    _ => return Err(operator),
                };
                // As two complex numbers are added: -0.0 + 0.0 is 0.0.
                let value = Literal::Complex(real + sign * 0.0, 0.0 + sign * imaginary);
                Ok(Expression::Other(value))
            }
            _ => Err(operator),
        }
    }

    fn float(&self, digits: &str) -> Result<f64, Fault> {
        let value: Option<f64> = digits.parse().ok();
        let value = value.filter(|value| value.is_finite());
        value.ok_or_else(|| self.syntax("an integer too large for a complex number"))
    }

    /// A number with a sign, or anything without one.
    fn signed(&mut self) -> Result<Expression, Fault> {
        let sign = match self.cursor.peek() {
            Some(sign @ ('+' | '-')) => sign,
            _ => return self.called(),
        };
        let operator = self.no_literal("an operator");
        self.cursor.bump();
        self.skip_space()?;
        // Two signs are no literal, and many would be many calls deep.
        if matches!(self.cursor.peek(), Some('+' | '-')) {
            return Err(operator);
        }
        match self.called()? {
            Expression::Number(value) if sign == '+' => Ok(Expression::Signed(value)),
            Expression::Number(value) => Ok(Expression::Signed(match value {
                Literal::Small(value) => Literal::Small(-value),
                Literal::Int(digits) if digits == "0" => Literal::Int(digits),
                Literal::Int(digits) => Literal::Int(format!("-{digits}")),
                Literal::Float(value) => Literal::Float(-value),
                Literal::Complex(real, imaginary) => Literal::Complex(-real, -imaginary),
                _ => return Err(operator),
            })),
            _ => Err(operator),
        }
    }

    /// A value, and the space after it; what is called, indexed or asked for a field is none.
    fn called(&mut self) -> Result<Expression, Fault> {
        let mut value = self.atom()?;
        self.skip_space()?;
        if matches!(value, Expression::Set) && self.cursor.peek() == Some('(') {
            self.open()?;
            if self.cursor.peek() != Some(')') {
                return Err(self.no_literal("a call"));
            }
            self.close()?;
            value = Expression::Other(Literal::Set(Vec::new()));
        }
        match self.cursor.peek() {
            Some('(') => Err(self.no_literal("a call")),
            Some('[') => Err(self.no_literal("an index")),
            Some('.') => Err(self.no_literal("a field of a value")),
            _ => Ok(value),
        }
    }

    fn atom(&mut self) -> Result<Expression, Fault> {
        let rest = self.cursor.rest();
        let mut ahead = rest.chars();
        match (ahead.next(), ahead.next()) {
            (Some('('), _) => return self.round(),
            (Some('['), _) => return self.square(),
            (Some('{'), _) => return self.braces(),
            (Some('0'..='9'), _) | (Some('.'), Some('0'..='9')) => {
                return number(&mut self.cursor).map(Expression::Number);
            }
            _ => {}
        }
        if rest.starts_with("...") {
            self.cursor.advance(3);
            return Ok(Expression::Other(Literal::Ellipsis));
        }
        if let Some(text) = strings(&mut self.cursor, self.depth > 0)? {
            return Ok(Expression::Other(text));
        }
        let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        let value = match rest.get(..end).unwrap_or_default() {
            "" if rest.is_empty() => return Err(self.syntax("the end in the middle of a literal")),
            "" => return Err(self.syntax("no value where one was expected")),
            "None" => Literal::None,
            "True" => Literal::Bool(true),
            "False" => Literal::Bool(false),
            "set" => {
                self.cursor.advance(end);
                return Ok(Expression::Set);
            }
            "null" => return Err(self.no_literal("null (Python's is None)")),
            "true" => return Err(self.no_literal("true (Python's is True)")),
            "false" => return Err(self.no_literal("false (Python's is False)")),
            _ => return Err(self.no_literal("a name")),
        };
        self.cursor.advance(end);
        Ok(Expression::Other(value))
    }

    /// A tuple, or an expression in brackets, which is that expression.
    fn round(&mut self) -> Result<Expression, Fault> {
        self.open()?;
        if self.cursor.peek() == Some(')') {
            self.close()?;
            return Ok(Expression::Other(Literal::Tuple(Vec::new())));
        }
        let first = self.sum()?;
        if self.cursor.peek() != Some(',') {
            self.expect(')')?;
            return Ok(first);
        }
        let first = self.settled(first)?;
        Ok(Expression::Other(Literal::Tuple(self.more(first, ')')?)))
    }

    fn square(&mut self) -> Result<Expression, Fault> {
        self.open()?;
        if self.cursor.peek() == Some(']') {
            self.close()?;
            return Ok(Expression::Other(Literal::List(Vec::new())));
        }
        let first = self.value()?;
        Ok(Expression::Other(Literal::List(self.more(first, ']')?)))
    }

    /// A dictionary or a set.
    fn braces(&mut self) -> Result<Expression, Fault> {
        let start = self.cursor.offset();
        let unhashable = |what| Fault::new(FaultKind::Unhashable(what), start);
        self.open()?;
        if self.cursor.peek() == Some('}') {
            self.close()?;
            return Ok(Expression::Other(Literal::Dict(Vec::new())));
        }
        let first = self.value()?;
        if self.cursor.peek() != Some(':') {
            let members = self.more(first, '}')?;
            return Literal::set(members).map(Expression::Other).map_err(unhashable);
        }
        let mut pairs = Vec::new();
        let mut key = first;
        loop {
            if !self.take(':')? {
                return Err(self.syntax("a colon was expected after the key"));
            }
            pairs.push((key, self.value()?));
            if self.take(',')? && self.cursor.peek() != Some('}') {
                key = self.value()?;
            } else {
                self.expect('}')?;
                return Literal::dict(pairs).map(Expression::Other).map_err(unhashable);
            }
        }
    }

    /// The items after the first, and the closing bracket.
    fn more(&mut self, first: Literal, closer: char) -> Result<Vec<Literal>, Fault> {
        let mut items = vec![first];
        while self.take(',')? && self.cursor.peek() != Some(closer) {
            items.push(self.value()?);
        }
        self.expect(closer)?;
        Ok(items)
    }

    /// Reads an opening bracket and the space after it.
    fn open(&mut self) -> Result<(), Fault> {
        if self.depth == DEEPEST {
            let kind = FaultKind::TooDeep { limit: DEEPEST };
            return Err(Fault::new(kind, self.cursor.offset()));
        }
        self.depth += 1;
        self.cursor.bump();
        self.skip_space()
    }

    /// Reads a closing bracket; the space after it is its value's matter.
    fn close(&mut self) -> Result<(), Fault> {
        self.depth = self.depth.saturating_sub(1);
        self.cursor.bump();
        self.skip_space()
    }

    fn expect(&mut self, closer: char) -> Result<(), Fault> {
        match self.cursor.peek() {
            Some(c) if c == closer => self.close(),
            None => Err(self.syntax("the end before a closing bracket")),
            Some(_) => Err(self.syntax("a comma or a closing bracket was expected")),
        }
    }

    /// Reads this character and the space after it.
    fn take(&mut self, c: char) -> Result<bool, Fault> {
        let found = self.cursor.take(c);
        if found {
            self.skip_space()?;
        }
        Ok(found)
    }
}
