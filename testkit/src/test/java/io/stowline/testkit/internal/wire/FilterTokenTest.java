package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.testkit.internal.wire.FilterToken.TokenKind;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FilterTokenTest {

    @Property
    @Label("any text in quotes is one token, and read back")
    void readsTextsBack(@ForAll String text) {
        assertThat(FilterToken.of("a eq guid'" + text.replace("'", "''") + "' or b"))
                .extracting(FilterToken::prefix, FilterToken::text, FilterToken::closed)
                .containsExactly(
                        tuple("", "a", true),
                        tuple("", "eq", true),
                        tuple("guid", text, true),
                        tuple("", "or", true),
                        tuple("", "b", true));
    }

    @Property
    @Label("tokens stand in the order of any text, and nothing but spaces lies between them")
    void leavesOnlySpacesOut(@ForAll String text) {
        int from = 0;
        for (FilterToken token : FilterToken.of(text)) {
            if (token.at() > from) {
                assertThat(text.substring(from, token.at())).isBlank();
            }
            int quotes = token.kind() == TokenKind.QUOTED ? 1 + (token.closed() ? 1 : 0) : 0;
            int doubled = token.kind() == TokenKind.QUOTED
                    ? (int) token.text().chars().filter(c -> c == '\'').count()
                    : 0;
            from = token.at() + token.prefix().length() + token.text().length() + quotes + doubled;
        }
        assertThat(text.substring(from)).isBlank();
    }

    @Test
    void tellsWordsSignsAndCalls() {
        assertThat(FilterToken.of("not(f(a) ge 1e+5)and (b,'c"))
                .extracting(FilterToken::kind, FilterToken::text, FilterToken::call, FilterToken::closed)
                .containsExactly(
                        tuple(TokenKind.WORD, "not", true, true),
                        tuple(TokenKind.SIGN, "(", false, true),
                        tuple(TokenKind.WORD, "f", true, true),
                        tuple(TokenKind.SIGN, "(", false, true),
                        tuple(TokenKind.WORD, "a", false, true),
                        tuple(TokenKind.SIGN, ")", false, true),
                        tuple(TokenKind.WORD, "ge", false, true),
                        tuple(TokenKind.WORD, "1e+5", false, true),
                        tuple(TokenKind.SIGN, ")", false, true),
                        tuple(TokenKind.WORD, "and", false, true),
                        tuple(TokenKind.SIGN, "(", false, true),
                        tuple(TokenKind.WORD, "b", false, true),
                        tuple(TokenKind.SIGN, ",", false, true),
                        tuple(TokenKind.QUOTED, "c", false, false));
    }
}
