package io.stowline.testkit.internal.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * Token of a {@code $filter}.
 *
 * @param prefix what stands before a quoted constant, such as {@code guid}; empty for others
 * @param text the word, the sign, or the constant without its quotes
 * @param at where the token begins
 * @param closed whether a quoted constant has its last quote
 * @param call whether an opening parenthesis follows the word at once
 */
public record FilterToken(TokenKind kind, String prefix, String text, int at, boolean closed, boolean call) {

    /** Kinds of tokens. */
    public enum TokenKind {
        WORD,
        QUOTED,
        SIGN
    }

    /** Splits any text into tokens; only spaces are left out. */
    public static List<FilterToken> of(String filter) {
        return new Lexer(filter).tokens();
    }

    public boolean isSign(String sign) {
        return kind == TokenKind.SIGN && text.equals(sign);
    }

    private static final class Lexer {

        private final String filter;
        private final List<FilterToken> tokens = new ArrayList<>();
        private int at;

        Lexer(String filter) {
            this.filter = filter;
        }

        List<FilterToken> tokens() {
            while (at < filter.length()) {
                int from = at;
                while (at < filter.length() && isWord(filter.charAt(at))) {
                    at++;
                }
                String word = filter.substring(from, at);
                if (follows('\'')) {
                    quoted(word, from);
                } else if (!word.isEmpty()) {
                    tokens.add(new FilterToken(TokenKind.WORD, "", word, from, true, follows('(')));
                } else {
                    sign(filter.charAt(at++));
                }
            }
            return tokens;
        }

        private boolean follows(char c) {
            return at < filter.length() && filter.charAt(at) == c;
        }

        private void quoted(String prefix, int from) {
            StringBuilder text = new StringBuilder();
            boolean closed = false;
            at++;
            while (at < filter.length() && !closed) {
                char c = filter.charAt(at++);
                closed = c == '\'' && !follows('\'');
                if (!closed) {
                    text.append(c);
                    at += c == '\'' ? 1 : 0;
                }
            }
            tokens.add(new FilterToken(TokenKind.QUOTED, prefix, text.toString(), from, closed, false));
        }

        private void sign(char c) {
            if (c != ' ') {
                tokens.add(new FilterToken(TokenKind.SIGN, "", String.valueOf(c), at - 1, true, false));
            }
        }

        private static boolean isWord(char c) {
            return Character.isLetterOrDigit(c) || "_.-+@".indexOf(c) >= 0;
        }
    }
}
