"""Definition patterns: functional languages. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import DASHES, Row

_HASKELL = Row(
    (
        ("type", r"TOP(?:type|newtype)[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
        ("type", r"TOPdata[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
        ("class", r"TOPclass[ \t]+(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
        ("impl", r"TOPinstance[ \t]+(?:\{-#[^#\n]*#-\}[ \t]*)?(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
        (
            "function",
            (
                r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|else|then|in|of|let)\b)"
                r"NAME[ \t]*(?:,[ \t]*\w+[ \t]*)*::"
            ),
        ),
        (
            "function",
            (
                r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|type|data|class|newtype|instance)\b)"
                r"(?=[a-z_(])NAME(?=[ \t\r\n])[^=|\n]*+(?:\r?\n[ \t]++)?(?<=[ \t])[=|](?![=>|])"
            ),
        ),
    ),
    ends="indent",
    above=DASHES,
    name=r"(?:[A-Za-z_][\w']*|\([^\s()\w]+\))",
    guard=r"(?=[A-Za-z_(])",
    clauses=True,
)

_ELIXIR = Row(
    (
        ("module", r"defmodule[ \t]+NAME"),
        ("protocol", r"defprotocol[ \t]+NAME"),
        ("impl", r"defimpl[ \t]+NAME"),
        ("macro", r"defmacrop?[ \t]+NAME"),
        ("function", r"def(?:p|guardp?|delegate|callback|n|np)?[ \t]+NAME"),
        ("type", r"@(?:type|typep|opaque)[ \t]+NAME"),
    ),
    ends="word",
    above=("#", "@doc", "@spec", "@impl", "@deprecated", "@since", '"""'),
    name=r"(?:unquote\(\w+\)|[A-Za-z_][\w.]*[?!]?|[+\-*/<>=!~&|^.@]+)",
    guard=r"(?=[d@])",
    closer=r"end\b",
    inline=r"(?<![ \t]do)$",
    clauses=True,
)

_OCAML = Row(
    (
        ("module", r"module[ \t]+(?:rec[ \t]+|type[ \t]+)?NAME"),
        ("class", r"class[ \t]+(?:type[ \t]+|virtual[ \t]+)*(?:\[[^\]\n]*\][ \t]*)?NAME"),
        ("type", r"(?:type|and)[ \t]+(?:nonrec[ \t]+)?(?:\([^()\n]*\)[ \t]*|[+-]?'\w+[ \t]+)?NAME[ \t]*(?:=|$)"),
        (
            "function",
            (
                r"(?:TOP|(?<=\n[ \t]{2}))(?:let(?:%\w+)?|and)[ \t]+(?:rec[ \t]+)?"
                r"NAME\b(?![^=\n]*=[^\n]*[ \t]in[ \t]*\r?\n)"
            ),
        ),
        ("function", r"(?:val|external)[ \t]+NAME[ \t]*:"),
        ("constant", r"exception[ \t]+NAME"),
    ),
    ends="layout",
    closer=r"end\b",
    above=("(*",),
    name=r"(?:[A-Za-z_][\w']*|\([ \t]*[^\s()\w]+[ \t]*\))",
    guard=r"(?=[mctalve])",
)

_CLOJURE = Row(
    (
        ("namespace", r"\(ns[ \t]+(?:\^\S+[ \t]+)*NAME"),
        ("function", r"\((?:\w+/)?(?:defn-?|defmulti|defmethod|deftest)[ \t]+(?:\^\S+[ \t]+)*NAME"),
        ("macro", r"\((?:\w+/)?defmacro[ \t]+NAME"),
        ("type", r"\((?:defrecord|deftype|defprotocol|definterface)[ \t]+NAME"),
        ("constant", r"\((?:def|defonce)[ \t]+(?:\^\S+[ \t]+)*NAME"),
    ),
    ends="indent",
    above=(";",),
    name=r"[^\s()\[\]{}\"';@^]+",
    guard=r"(?=\()",
)

_ERLANG = Row(
    (
        ("module", r"TOP-module\(NAME"),
        ("type", r"TOP-(?:type|opaque|record)[ \t(]+NAME"),
        ("macro", r"TOP-define\(NAME"),
        ("function", r"TOPNAME\([^\n]*(?:->|,[ \t]*$|when\b)"),
    ),
    ends="indent",
    above=("%", "-spec"),
    name=r"[a-zA-Z_'][\w@']*",
    guard=r"(?=[a-z'-])",
    clauses=True,
)


FUNCTIONAL: Mapping[str, Row] = {
    "clojure": _CLOJURE,
    "elixir": _ELIXIR,
    "erlang": _ERLANG,
    "haskell": _HASKELL,
    "ocaml": _OCAML,
}
