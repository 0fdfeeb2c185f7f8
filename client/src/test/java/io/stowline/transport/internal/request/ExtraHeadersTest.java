package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtraHeadersTest {

    private static HttpHeaders on(ExtraHeaders headers) {
        HttpHeaders all = new HttpHeaders();
        headers.forEach(all::set);
        return all;
    }

    private static String value(ExtraHeaders headers, String name) {
        return on(headers).getValue(HttpHeaderName.fromString(name));
    }

    @Test
    void addsWhatIsGiven() {
        ExtraHeaders headers = ExtraHeaders.NONE.with("x-ms-tenant", "a b").with("traceparent", "00-1");

        assertThat(value(headers, "X-MS-Tenant")).isEqualTo("a b");
        assertThat(value(headers, "traceparent")).isEqualTo("00-1");
        assertThat(on(ExtraHeaders.NONE)).isEmpty();
    }

    @Test
    void theLastValueOfANameCounts() {
        assertThat(value(ExtraHeaders.NONE.with("x-tenant", "1").with("X-Tenant", "2"), "x-tenant"))
                .isEqualTo("2");
    }

    @Test
    void areEqualByNamesAndValues() {
        assertThat(ExtraHeaders.NONE.with("x-a", "1").with("x-b", "2"))
                .isEqualTo(ExtraHeaders.NONE.with("X-B", "2").with("X-A", "1"))
                .hasSameHashCodeAs(ExtraHeaders.NONE.with("X-B", "2").with("X-A", "1"))
                .isNotEqualTo(ExtraHeaders.NONE.with("x-a", "1").with("x-b", "3"))
                .isNotEqualTo(ExtraHeaders.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Connection",
                "Date",
                "Host",
                "Range",
                "Transfer-Encoding",
                "User-Agent",
                "x-ms-date",
                "x-ms-version",
                "x-ms-client-request-id",
                "x-ms-range",
                "x-ms-meta-owner",
                "x-ms-blob-type",
                "x-ms-if-tags",
                "Content-Length",
                "Content-MD5",
                "If-Match",
                "If-None-Match",
                "Accept",
                "Accept-Encoding",
                "Prefer",
                "DataServiceVersion",
                "Proxy-Authorization",
                "X-HTTP-Method"
            })
    void refusesWhatTheLibrarySetsAndWhatChangesTheMeaning(String name) {
        for (String form : new String[] {name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ExtraHeaders.NONE.with(form, "secret"))
                    .withMessageContaining(form)
                    .withMessageNotContaining("secret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x y", "x:y", "x\r\nHost", "ü", "x\n"})
    void refusesNamesThatAreNone(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtraHeaders.NONE.with(name, "v"))
                .withMessageContaining("1 to 256")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\r", "\n"));
    }

    @Test
    @DisplayName("RETRY-7: a text in the place of a name may be the value, and is not shown")
    void showsNoNameThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtraHeaders.NONE.with("Bearer secret", "Authorization"))
                .withMessageContaining("not the 13 characters")
                .withMessageNotContaining("secret");
    }

    @Test
    void refusesNamesThatAreTooLong() {
        assertThat(ExtraHeaders.NONE.with("x".repeat(256), "v").isEmpty()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> ExtraHeaders.NONE.with("x".repeat(257), "v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " lead", "trail ", "a\r\nAuthorization: x", "a\nb", "tab\t", "\u0000", "ü", "\u007f"})
    void refusesValuesThatCannotTravel(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtraHeaders.NONE.with("x-tenant", value))
                .withMessageContaining("x-tenant")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\r", "\n", "lead", "Authorization"));
    }

    @Test
    void refusesValuesThatAreTooLong() {
        assertThat(value(ExtraHeaders.NONE.with("x-tenant", "v".repeat(8_192)), "x-tenant"))
                .hasSize(8_192);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtraHeaders.NONE.with("x-tenant", "v".repeat(8_193)))
                .withMessageContaining("8192")
                .withMessageContaining("8193");
    }

    @Property
    @Label("every value of visible characters travels as it is")
    void visibleValues(@ForAll @CharRange(from = '!', to = '~') @StringLength(min = 1, max = 50) String value) {
        assertThat(value(ExtraHeaders.NONE.with("x-tenant", value), "x-tenant")).isEqualTo(value);
    }

    @Property
    @Label("no character outside of visible ASCII travels, wherever it stands")
    void otherCharacters(@ForAll char c, @ForAll @IntRange(max = 10) int before) {
        if (c >= ' ' && c <= '~') {
            return;
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtraHeaders.NONE.with("x-tenant", "a".repeat(before) + c + "a"))
                .withMessageContaining("position " + (before + 1));
    }

    @Test
    void doesNotShowValues() {
        assertThat(ExtraHeaders.NONE.with("x-tenant", "secret").toString())
                .contains("x-tenant")
                .doesNotContain("secret");
    }
}
