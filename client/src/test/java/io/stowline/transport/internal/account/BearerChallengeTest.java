package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenRequestContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerChallengeTest {

    private static final String HOST = "acct.table.core.windows.net";

    private static TokenRequestContext requested(String header) {
        BearerChallenge challenge = BearerChallenge.in(header);
        assertThat(challenge).as(header).isNotNull();
        return challenge.requests(new TokenRequestContext().addScopes(BearerTokenCredential.SCOPE), HOST);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "Basic realm=\"x\"", "SharedKey", "Bearerish a=b", "Basic realm=\"no_Bearer\""})
    void otherSchemesAreNoBearerChallenge(String header) {
        assertThat(BearerChallenge.in(header)).isNull();
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: the tenant is the first part of the path of authorization_uri")
    @CsvSource(
            delimiter = '|',
            value = {
                "Bearer authorization_uri=https://login.microsoftonline.com/t-1/oauth2/authorize"
                        + " resource_id=https://storage.azure.com | t-1",
                "Bearer authorization_uri=\"https://login.microsoftonline.com/t-1\", resource_id=\"x\" | t-1",
                "bearer AUTHORIZATION_URI = \"https://login.microsoftonline.com/t-1/\" | t-1",
                "Bearer authorization=\"https://login.microsoftonline.com/t-1\" | t-1",
                "Basic realm=\"a\", Bearer authorization_uri=https://login.microsoftonline.com/t-1/x | t-1",
                "Bearer authorization_uri=https://login.microsoftonline.com/common/oauth2/authorize | ",
                "Bearer authorization_uri=https://login.microsoftonline.com | ",
                "Bearer authorization_uri=\"no uri\" | ",
                "Bearer | ",
                "Bearer error=\"invalid_token\" | "
            })
    void readsTheTenant(String header, String tenant) {
        assertThat(requested(header).getTenantId()).isEqualTo(tenant);
    }

    @ParameterizedTest
    @CsvSource({
        "https://storage.azure.com, https://storage.azure.com/.default",
        "https://storage.azure.com/, https://storage.azure.com/.default",
        "https://storage.azure.com/.default, https://storage.azure.com/.default",
        "https://acct.table.core.windows.net, https://acct.table.core.windows.net/.default",
        "https://graph.microsoft.com, https://storage.azure.com/.default",
        "https://storage.azure.com.evil.test, https://storage.azure.com/.default",
        "http://storage.azure.com, https://storage.azure.com/.default",
        "api://something, https://storage.azure.com/.default"
    })
    @DisplayName("a token is asked for storage or for the host itself, never for what a host may want besides")
    void trustsOnlyStorage(String resource, String scope) {
        assertThat(requested("Bearer resource_id=" + resource).getScopes()).containsExactly(scope);
    }

    @Property
    @Label("RETRY-3: claims arrive as they were encoded, in either Base64")
    void readsClaims(@ForAll String text, @ForAll boolean url) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String encoded = url
                ? Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
                : Base64.getEncoder().encodeToString(bytes);

        assertThat(requested("Bearer error=\"insufficient_claims\", claims=\"" + encoded + "\"")
                        .getClaims())
                .isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }

    @Test
    void badClaimsAreNone() {
        assertThat(requested("Bearer claims=\"***\"").getClaims()).isNull();
    }

    @Property
    @Label("no header breaks the reader")
    void neverThrows(@ForAll String rest) {
        BearerChallenge challenge = BearerChallenge.in("Bearer " + rest);

        assertThat(challenge).isNotNull();
        assertThat(challenge.requests(new TokenRequestContext(), HOST)).isNotNull();
    }
}
