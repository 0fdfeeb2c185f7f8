package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import io.stowline.transport.internal.error.Redaction.RedactedException;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private static final String[] CARRIERS = {
        "GET https://acct.table.core.windows.net/t?sv=2024&sig=%s&se=2030 failed",
        "https://acct.blob.core.windows.net/c/b?sig=%s",
        "https://a.test/?x=1%%26sig%%3D%s",
        "{\"url\":\"https://a.test/?sv=1\\u0026sig=%s\"}",
        "<a href='?SIG=%s'>",
        "AccountName=acct;AccountKey=%s;EndpointSuffix=a.test",
        "accountkey = %s",
        "SharedAccessSignature=sv=1&se=2&sig=%s;BlobEndpoint=https://a.test",
        "Authorization: Bearer %s",
        "authorization=[bearer %s]",
        "Authorization: SharedKey acct:%s",
        "SharedKeyLite acct:%s",
        "The MAC signature found in the HTTP request '%s' is not the same as any computed signature",
        "{\"access_token\":\"%s\",\"expires_in\":3599}",
        "grant_type=client_credentials&client_secret=%s&scope=x",
        "{\"client_assertion\" : \"%s\"}"
    };

    @Property
    @Label("RETRY-7: a secret is taken out of every text that may carry one, and only once")
    void takesSecretsOut(
            @ForAll @IntRange(max = 15) int carrier,
            @ForAll @AlphaChars @NumericChars @StringLength(min = 8, max = 60) String plain,
            @ForAll boolean encoded) {
        String secret = encoded ? plain + "%2Bx%3D%3D" : plain + "+/==";
        String clean = Redaction.of(CARRIERS[carrier].formatted(secret));

        assertThat(clean).doesNotContain(plain).contains("***");
        assertThat(Redaction.of(clean)).isEqualTo(clean);
    }

    @Property
    @Label("RETRY-7: what follows the secret stays")
    void keepsTheRest(@ForAll @Size(min = 8, max = 32) byte[] key) {
        String secret = Base64.getEncoder().encodeToString(key);

        assertThat(Redaction.of("a AccountKey=" + secret + "; b")).isEqualTo("a AccountKey=***; b");
        assertThat(Redaction.of("?sig=" + secret + "&se=1")).isEqualTo("?sig=***&se=1");
    }

    @Test
    @DisplayName("RETRY-7: a JSON Web Token is one wherever it stands")
    void knowsTokensByTheirLook() {
        assertThat(Redaction.of("got eyJhbGciOiJSUzI1NiIs.eyJhdWQiOiJodHRwczovL3N0.c2lnbmF0dXJl-_x, expired"))
                .isEqualTo("got ***, expired");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "403 AuthenticationFailed",
                "Connection refused: /127.0.0.1:10002",
                "the design=blue of sign=1",
                "AccountName=acct",
                "SharedKey(not shown)"
            })
    void leavesOtherTextsAlone(String text) {
        assertThat(Redaction.of(text)).isSameAs(text);
    }

    @Test
    void tellsWhatLiesAtTheRoot() {
        IOException error = new IOException("handshake", new IOException("x", new IOException("sig=topsecret")));

        assertThat(Redaction.text(error)).isEqualTo("java.io.IOException: handshake; java.io.IOException: sig=***");
        assertThat(Redaction.text(new IOException("refused: x", new IOException("refused"))))
                .isEqualTo("java.io.IOException: refused: x");
        assertThat(Redaction.text(new IOException("alone", new IOException()))).isEqualTo("java.io.IOException: alone");
    }

    @Test
    void leavesErrorsAloneThatShowNothing() {
        IOException error = new IOException("refused", new IllegalStateException("no route"));

        assertThat(Redaction.of(error)).isSameAs(error);
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-7: an error that shows a secret itself, behind it or beside it is replaced, its places are kept")
    @CsvSource({"true,false,false", "false,true,false", "false,false,true", "true,true,true"})
    void replacesErrors(boolean itself, boolean cause, boolean suppressed) {
        String secret = "https://a.test/?sig=topsecret";
        IOException error = new IOException(
                itself ? secret : "reset",
                new IllegalStateException("deep", new IllegalStateException(cause ? secret : "x")));
        error.addSuppressed(new IOException(suppressed ? secret : "y"));
        Throwable shown = Redaction.of((Throwable) error);
        StringWriter everything = new StringWriter();
        shown.printStackTrace(new PrintWriter(everything));

        assertThat(everything.toString()).doesNotContain("topsecret").contains("java.io.IOException", "sig=***");
        assertThat(shown.getStackTrace()).isEqualTo(error.getStackTrace());
        assertThat(shown.getCause()).hasMessageContaining("deep").hasRootCauseInstanceOf(RedactedException.class);
        assertThat(shown.getSuppressed()).hasSize(1);
    }

    @Test
    void keepsTheTypeAndTheResponseOfTheSdksErrors() {
        HttpResponse response = new BufferedResponse(
                new HttpRequest(HttpMethod.GET, "https://a.test"), 200, new HttpHeaders(), new byte[0]);
        HttpResponseException error = new HttpResponseException("Status code 200, \"sig=topsecret\"", response);
        HttpResponseException clean = Redaction.of(error);

        assertThat(clean).hasMessageContaining("sig=***").hasMessageNotContaining("topsecret");
        assertThat(clean.getResponse()).isSameAs(response);
        assertThat(clean.getCause()).hasMessageNotContaining("topsecret");
        assertThat(Redaction.of(clean)).isSameAs(clean);
    }

    @Test
    void bearsErrorsThatGoInCircles() {
        IOException error = new IOException("sig=topsecret");
        IOException other = new IOException("other", error);
        error.initCause(other);
        error.addSuppressed(other);

        assertThat(Redaction.of((Throwable) error)).hasMessage("java.io.IOException: sig=***");
    }

    @Test
    @DisplayName("an I/O error has the name of the JDK's class that Netty's extends")
    void namesOfNetty() {
        Exception timedOut = new ConnectTimeoutException("connection timed out");

        assertThat(Redaction.text(timedOut)).isEqualTo("java.net.ConnectException: connection timed out");
        assertThat(Redaction.text(new IllegalStateException("outer", timedOut)))
                .isEqualTo("java.lang.IllegalStateException: outer; java.net.ConnectException: connection timed out");
        assertThat(Redaction.text(ReadTimeoutException.INSTANCE)).contains("ReadTimeoutException");
    }
}
