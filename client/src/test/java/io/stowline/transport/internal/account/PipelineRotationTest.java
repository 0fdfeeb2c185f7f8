package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import io.stowline.error.AuthenticationException;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.OperationType;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and signatures that are exchanged while requests are in flight. */
class PipelineRotationTest {

    private static final String REFUSED = Bench.jsonError("AuthenticationFailed", "text");
    private static final String NEW_KEY = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
    private static final String TRUE_DATE = "Thu, 29 Feb 2024 12:00:00 GMT";
    private static final Duration RESPONDED = Duration.ofMillis(100);

    private final AzureNamedKeyCredential key = new AzureNamedKeyCredential("acct", Bench.KEY);
    private final AzureSasCredential sas = new AzureSasCredential("?sv=1&sig=oldsecret");
    private final Bench byKey = new Bench(new SharedKeyCredential(key));
    private final Bench bySas = new Bench(new SasCredential("credential", sas));

    private static List<String> authorizations(Bench bench) {
        return bench.wire().sent().stream()
                .map(sent -> sent.header("Authorization"))
                .toList();
    }

    private static List<String> urls(Bench bench) {
        return bench.wire().sent().stream().map(FakeWire.Sent::url).toList();
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-3: a request that was signed with a key that has been exchanged meanwhile is signed once more, at"
                    + " once")
    @ValueSource(ints = {401, 403})
    void signsWithTheNewKey(int status) {
        byKey.wire().respondsAfter(RESPONDED, status, REFUSED).responds(200, "done");
        Outcome<String> outcome = byKey.start(OperationType.WRITE);
        key.update("acct", NEW_KEY);
        byKey.pass(RESPONDED);

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(authorizations(byKey)).doesNotHaveDuplicates().hasSize(2);
        assertThat(byKey.wire().times()).containsExactly(Duration.ZERO, RESPONDED);
    }

    @Test
    void theNextRequestIsSignedWithTheNewKeyAndName() {
        byKey.wire().responds(200, "").responds(200, "");
        byKey.start(OperationType.WRITE);
        key.update("renamed", NEW_KEY);
        byKey.start(OperationType.WRITE);

        assertThat(authorizations(byKey).get(0)).startsWith("SharedKey acct:");
        assertThat(authorizations(byKey).get(1)).startsWith("SharedKey renamed:");
    }

    @Test
    @DisplayName("RETRY-3: a refusal of the key that still counts is final")
    void sameKeyIsNotTriedAgain() {
        byKey.wire().responds(403, REFUSED);

        assertThat(byKey.start(OperationType.WRITE).storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageNotContaining("exchanged");
    }

    @Test
    @DisplayName("RETRY-3: an exchanged key saves an operation once")
    void onceForAnOperation() {
        byKey.wire().respondsAfter(RESPONDED, 403, REFUSED).respondsAfter(RESPONDED, 403, REFUSED);
        Outcome<String> outcome = byKey.start(OperationType.WRITE);
        key.update("acct", NEW_KEY);
        byKey.pass(RESPONDED);
        key.update("acct", Bench.KEY);
        byKey.pass(Duration.ofMinutes(5));

        assertThat(outcome.storageError().failure().attempts()).isEqualTo(2);
        assertThat(outcome.storageError()).hasMessageContaining("the account key has changed since the attempt began");
    }

    @Test
    @DisplayName("RETRY-3: other refusals do not ask for another key")
    void otherRefusals() {
        byKey.wire().respondsAfter(RESPONDED, 404, Bench.jsonError("TableNotFound", "text"));
        Outcome<String> outcome = byKey.start(OperationType.WRITE);
        key.update("acct", NEW_KEY);
        byKey.pass(Duration.ofMinutes(5));

        assertThat(outcome.storageError().failure().attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-3: a wrong clock and an exchanged key are each put right once")
    void clockAndKey() {
        Bench wrong = new Bench(4, Duration.ofMinutes(20), new SharedKeyCredential(key));
        wrong.wire()
                .responds(403, REFUSED, "Date", TRUE_DATE)
                .respondsAfter(RESPONDED, 403, REFUSED, "Date", TRUE_DATE)
                .responds(403, REFUSED, "Date", "Thu, 29 Feb 2024 11:00:00 GMT");
        Outcome<String> outcome = wrong.start(OperationType.WRITE);
        key.update("acct", NEW_KEY);
        wrong.pass(Duration.ofMinutes(1));

        assertThat(outcome.storageError().failure().attempts()).isEqualTo(3);
        assertThat(outcome.storageError())
                .hasMessageContaining("clock is 1200 s ahead")
                .hasMessageContaining("the account key has changed since the attempt began");
        assertThat(authorizations(wrong)).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("RETRY-3: after both have been put right the operation succeeds")
    void clockThenKeySucceeds() {
        Bench wrong = new Bench(4, Duration.ofMinutes(20), new SharedKeyCredential(key));
        wrong.wire()
                .respondsAfter(RESPONDED, 401, REFUSED, "Date", TRUE_DATE)
                .responds(403, REFUSED, "Date", TRUE_DATE)
                .responds(200, "done");
        Outcome<String> outcome = wrong.start(OperationType.WRITE);
        key.update("acct", NEW_KEY);
        wrong.pass(Duration.ofMinutes(1));

        assertThat(outcome.value()).isEqualTo("done");
    }

    @Test
    void putsTheSignatureOnEachAttempt() {
        bySas.wire().responds(503, Bench.jsonError("ServerBusy", "text")).responds(200, "done");
        Outcome<String> outcome = bySas.start(OperationType.WRITE);
        bySas.pass(Duration.ofMinutes(1));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(urls(bySas)).hasSize(2).allSatisfy(url -> assertThat(url)
                .endsWith("?timeout=30&sv=1&sig=oldsecret"));
        assertThat(bySas.wire().last().header("Authorization")).isNull();
        assertThat(bySas.wire().last().header("x-ms-date")).isNotNull();
    }

    @Test
    @DisplayName(
            "RETRY-3: a request with a signature that has been exchanged meanwhile is sent once more with the new one")
    void sendsTheNewSignature() {
        bySas.wire().respondsAfter(RESPONDED, 403, REFUSED).responds(200, "done");
        Outcome<String> outcome = bySas.start(OperationType.WRITE);
        sas.update("sv=2&sig=newsecret");
        bySas.pass(RESPONDED);

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(urls(bySas).get(1))
                .endsWith("?timeout=30&sv=2&sig=newsecret")
                .doesNotContain("oldsecret");
    }

    @Test
    @DisplayName("RETRY-3, RETRY-7: a refused signature is final, and no text shows it")
    void refusedSignature() {
        bySas.wire()
                .responds(
                        403,
                        Bench.jsonError(
                                "AuthenticationFailed",
                                "Signature did not match: https://acct/?sv=1&sig=oldsecret&x=1"));
        Throwable error = bySas.start(OperationType.WRITE).storageError();

        assertThat(error)
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("sig=***")
                .hasMessageNotContaining("oldsecret");
        assertThat(bySas.wire().sent()).hasSize(1);
    }
}
