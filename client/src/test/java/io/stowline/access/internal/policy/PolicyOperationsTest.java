package io.stowline.access.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.access.AccessPolicies;
import io.stowline.access.AccessPolicy;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.TableSasBuilder;
import io.stowline.access.internal.DefaultContainerSasBuilder;
import io.stowline.access.internal.DefaultQueueSasBuilder;
import io.stowline.access.internal.DefaultTableSasBuilder;
import io.stowline.access.internal.SasSigner;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.FakeWire.Sent;
import io.stowline.transport.internal.request.ExtraHeaders;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("ACCESS-3: setting one stored access policy leaves the others")
class PolicyOperationsTest {

    private static final String MODIFIED = "Thu, 29 Feb 2024 11:00:00 GMT";
    private static final Instant END = Instant.parse("2030-01-01T00:00:00Z");
    private static final AccessPolicy READERS = new AccessPolicy("readers", "r", Optional.empty(), Optional.of(END));
    private static final AccessPolicy OTHERS = new AccessPolicy(
            "others", "l", Optional.of(Instant.parse("2020-01-01T00:00:00.1234567Z")), Optional.empty());
    private static final String OTHERS_XML = "<SignedIdentifier><Id>others</Id><AccessPolicy>"
            + "<Start>2020-01-01T00:00:00.1234567Z</Start><Permission>l</Permission></AccessPolicy></SignedIdentifier>";
    private static final String READERS_XML = "<SignedIdentifier><Id>readers</Id><AccessPolicy>"
            + "<Expiry>2030-01-01T00:00:00.0000000Z</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>";

    private final Bench bench = new Bench();
    private RetrySettings retry = RetrySettings.defaults();

    private SasSigner signer(Service service) {
        return new SasSigner(
                new StorageAccount(
                        "acct",
                        Bench.account().credential(),
                        Map.of(service, URI.create("https://acct." + service.host() + ".core.windows.net"))),
                service,
                bench.pipeline(),
                retry);
    }

    private PolicyOperations operations(Service service) {
        return PolicyOperations.of(signer(service), "things", retry, ExtraHeaders.NONE.with("x-team", "a"));
    }

    private PolicyOperations container() {
        return operations(Service.BLOB);
    }

    private FakeWire wire() {
        return bench.wire();
    }

    private static String xml(String... policies) {
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers>" + String.join("", policies)
                + "</SignedIdentifiers>";
    }

    private PolicyOperationsTest shows(String etag, String... policies) {
        wire().responds(
                        200,
                        xml(policies),
                        "ETag",
                        etag,
                        "Last-Modified",
                        MODIFIED,
                        "x-ms-blob-public-access",
                        "container");
        return this;
    }

    private static List<AccessPolicy> written(Sent sent) {
        try {
            return SignedIdentifiersXml.read(sent.body().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(sent.body(), e);
        }
    }

    private List<String> methods() {
        return wire().sent().stream().map(Sent::method).toList();
    }

    /** The bench serves a further call after an end, however it came. */
    private void nextCallWorks() {
        shows("\"9\"", OTHERS_XML);
        assertThat(bench.start(container().list()).value()).containsExactly(OTHERS);
    }

    @Test
    void allAreRead() {
        shows("\"1\"", OTHERS_XML, READERS_XML);

        assertThat(bench.start(container().list()).value()).containsExactly(OTHERS, READERS);
        assertThat(wire().last().url())
                .startsWith("https://acct.blob.core.windows.net/things?restype=container&comp=acl");
        assertThat(wire().last().header("x-team")).isEqualTo("a");
    }

    @Test
    void oneOfAContainerIsSetWithAllElseAsItIs() {
        shows("\"1\"", OTHERS_XML);
        wire().responds(200, "", "ETag", "\"2\"");

        WriteResult result = bench.start(container().set(READERS)).value();

        assertThat(result.etag()).isEqualTo("\"2\"");
        assertThat(result.outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(result.mayHaveRepeated()).isFalse();
        assertThat(methods()).containsExactly("GET", "PUT");
        Sent write = wire().last();
        assertThat(write.url()).startsWith("https://acct.blob.core.windows.net/things?restype=container&comp=acl");
        assertThat(write.header("x-ms-blob-public-access")).isEqualTo("container");
        assertThat(write.header("If-Unmodified-Since")).isEqualTo(MODIFIED);
        assertThat(write.header("x-team")).isEqualTo("a");
        assertThat(write.body())
                .contains("<Start>2020-01-01T00:00:00.1234567Z</Start>", "<Expiry>2030-01-01T00:00:00Z</Expiry>");
        assertThat(written(write)).containsExactly(OTHERS, READERS);
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"QUEUE", "TABLE"})
    void oneOfAQueueOrTableIsReplacedInItsPlace(Service service) {
        AccessPolicy updaters = new AccessPolicy("readers", "ur", Optional.empty(), Optional.empty());
        wire().responds(200, xml(READERS_XML, OTHERS_XML)).responds(204, "");

        WriteResult result = bench.start(operations(service).set(updaters)).value();

        assertThat(result.etag()).isEmpty();
        assertThat(wire().last().url())
                .startsWith("https://acct." + service.host() + ".core.windows.net/things?comp=acl");
        assertThat(wire().last().header("If-Unmodified-Since")).isNull();
        assertThat(written(wire().last()))
                .containsExactly(new AccessPolicy("readers", "ru", Optional.empty(), Optional.empty()), OTHERS);
    }

    @Test
    void oneThatIsMissingCostsNoWrite() {
        shows("\"1\"", READERS_XML);

        assertThat(bench.start(container().remove("absent")).value()).isFalse();
        assertThat(methods()).containsExactly("GET");
    }

    @Test
    void oneThatIsThereIsRemoved() {
        shows("\"1\"", READERS_XML, OTHERS_XML);
        wire().responds(200, "", "ETag", "\"2\"");

        assertThat(bench.start(container().remove("readers")).value()).isTrue();
        assertThat(written(wire().last())).containsExactly(OTHERS);
        assertThat(wire().last().header("x-ms-blob-public-access")).isEqualTo("container");
    }

    @Test
    void allOfAQueueAreReplacedByOneRequest() {
        wire().responds(204, "");

        bench.start(operations(Service.QUEUE)
                        .replaceAll(List.of(new AccessPolicy("senders", "a", Optional.empty(), Optional.of(END)))))
                .value();

        assertThat(methods()).containsExactly("PUT");
        assertThat(written(wire().last())).extracting(AccessPolicy::id).containsExactly("senders");
    }

    @Test
    void allOfAContainerAreReplacedAndItsPublicAccessStays() {
        shows("\"1\"", READERS_XML, OTHERS_XML);
        wire().responds(200, "", "ETag", "\"2\"");

        bench.start(container().replaceAll(List.of())).value();

        assertThat(methods()).containsExactly("GET", "PUT");
        assertThat(written(wire().last())).isEmpty();
        assertThat(wire().last().header("x-ms-blob-public-access")).isEqualTo("container");
    }

    @Test
    void aContainerThatOthersChangedIsReadAgain() {
        shows("\"1\"");
        wire().responds(412, "", "x-ms-error-code", "ConditionNotMet");
        shows("\"2\"", OTHERS_XML);
        wire().responds(200, "", "ETag", "\"3\"");

        assertThat(bench.start(container().set(READERS)).value().etag()).isEqualTo("\"3\"");
        assertThat(written(wire().last())).containsExactly(OTHERS, READERS);
    }

    @Test
    void aContainerThatOthersAlwaysChangeIsAnError() {
        for (int i = 0; i < 3; i++) {
            shows("\"" + i + "\"");
            wire().responds(412, "", "x-ms-error-code", "ConditionNotMet");
        }

        assertThat(bench.start(container().set(READERS)).storageError())
                .isInstanceOf(PreconditionFailedException.class);
        assertThat(wire().sent()).hasSize(6);
        nextCallWorks();
    }

    @Test
    void aSixthIsRefusedBeforeTheWrite() {
        String[] five = new String[5];
        Arrays.setAll(five, i -> OTHERS_XML.replace("others", "p" + i));
        shows("\"1\"", five);

        assertThat(bench.start(container().set(READERS)).error())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the container things has 5 stored access policies already, the limit: remove one first, or"
                        + " set them by replaceAll");
        assertThat(methods()).containsExactly("GET");
        nextCallWorks();
    }

    @Test
    void badInputIsRefusedBeforeAnyRequest() {
        PolicyOperations policies = operations(Service.QUEUE);
        AccessPolicy end = new AccessPolicy("a", "r", Optional.of(END), Optional.of(END));

        assertThatThrownBy(() -> policies.set(new AccessPolicy("a", "rd", Optional.empty(), Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the policy 'a' has the permission 'd', and the queue things has only raup");
        assertThatThrownBy(() -> policies.set(end))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begins at 2030-01-01T00:00:00Z, which is not before its end");
        assertThatThrownBy(() -> policies.set(
                        new AccessPolicy("a", "r", Optional.empty(), Optional.of(END.plusSeconds(1L << 40)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the last one is 9999-12-31");
        AccessPolicy[] six = new AccessPolicy[6];
        Arrays.setAll(six, i -> new AccessPolicy("p" + i, "r", Optional.empty(), Optional.empty()));
        assertThatThrownBy(() -> policies.replaceAll(List.of(six)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 5 stored access policies, not 6");
        assertThatThrownBy(() -> policies.replaceAll(List.of(six[0], six[0])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'p0' is there twice");
        assertThat(wire().sent()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void anIdentifierHasOneToSixtyFourCharacters(int length) {
        assertThatThrownBy(() -> new AccessPolicy("x".repeat(length), "", Optional.empty(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the identifier of a stored access policy has 1 to 64 characters, not " + length);
        assertThatThrownBy(() -> new AccessPolicy("a\nb", "", Optional.empty(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private AccessPolicies<ContainerSasBuilder<?>> ofContainer() {
        return new DefaultAccessPolicies<>(
                container(),
                () -> new DefaultContainerSasBuilder<>(
                        signer(Service.BLOB), "things", URI.create("https://a/things"), PolicyOperations.UNSIGNED));
    }

    private AccessPolicies<QueueSasBuilder<?>> ofQueue() {
        return new DefaultAccessPolicies<>(
                operations(Service.QUEUE),
                () -> new DefaultQueueSasBuilder<>(signer(Service.QUEUE), "things", PolicyOperations.UNSIGNED));
    }

    private AccessPolicies<TableSasBuilder<?>> ofTable() {
        return new DefaultAccessPolicies<>(
                operations(Service.TABLE),
                () -> new DefaultTableSasBuilder<>(signer(Service.TABLE), "things", PolicyOperations.UNSIGNED));
    }

    @Test
    @DisplayName("ACCESS-1: a policy is described by the permissions of its resource")
    void aPolicyIsDescribedByTheBuilderOfItsResource() {
        assertThat(ofContainer().policy("a", with -> with.canList()
                        .canRead()
                        .startingAt(END.minusSeconds(1))
                        .until(END.plusNanos(5))))
                .isEqualTo(new AccessPolicy("a", "rl", Optional.of(END.minusSeconds(1)), Optional.of(END)));
        assertThat(ofQueue().policy("a", with -> with.canUpdate().canReceive().validFor(Duration.ofHours(1))))
                .isEqualTo(new AccessPolicy(
                        "a", "up", Optional.empty(), Optional.of(Bench.START.plus(Duration.ofHours(1)))));
        assertThat(ofTable().policy("a", with -> with.canUpsert().backdated()))
                .isEqualTo(new AccessPolicy(
                        "a", "au", Optional.of(Bench.START.minus(Duration.ofMinutes(15))), Optional.empty()));
        assertThat(ofTable().policy("a", UnaryOperator.identity()))
                .isEqualTo(new AccessPolicy("a", "", Optional.empty(), Optional.empty()));
    }

    @Test
    void whatOnlyASignatureCarriesIsRefused() {
        assertThatThrownBy(() -> ofQueue().set("a", with -> with.canSend().onlyFrom("10.0.0.1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a stored access policy has permissions, a start and an end, but not onlyFrom(..): set that"
                        + " where the signature is made");
        assertThatThrownBy(() -> ofQueue().set("a", with -> with.byPolicy("b")))
                .hasMessageContaining("not byPolicy(..)");
        assertThatThrownBy(() -> ofQueue().set("a", with -> with.overHttpToo()))
                .hasMessageContaining("not overHttpToo()");
        assertThatThrownBy(() -> ofTable().set("a", with -> with.partition("p")))
                .hasMessageContaining("not a range of keys");
        assertThatThrownBy(() -> ofContainer().set("a", with -> with.encryptedBy("scope")))
                .hasMessageContaining("not encryptedBy(..)");
        assertThatThrownBy(() -> ofContainer().set("a", with -> with.servedWithContentType("a/b")))
                .hasMessageContaining("not servedWithContentType(..)");
        assertThatThrownBy(() -> ofQueue().set("a", with -> {
                    with.canPeek().sign();
                    return with;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("leave out sign()");
        assertThat(wire().sent()).isEmpty();
    }

    @Test
    @DisplayName("OUTCOME-9: a lost response to policies of a queue may mean that they were set twice")
    void aLostResponseToAQueueIsRetried() {
        wire().responds(200, xml()).breaks(new IOException("reset")).responds(204, "");

        Outcome<WriteResult> set = bench.start(operations(Service.QUEUE).set(READERS));
        bench.pass(Duration.ofSeconds(10));

        assertThat(set.value().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(set.value().mayHaveRepeated()).isTrue();
        assertThat(written(wire().sent().get(2)))
                .isEqualTo(written(wire().sent().get(1)));
    }

    @Test
    @DisplayName("OUTCOME-8: a condition that fails after a lost response is settled by the policies that are there")
    void aConditionAfterALostResponseIsReadBack() {
        shows("\"1\"", OTHERS_XML);
        wire().breaks(new IOException("reset")).responds(412, "", "x-ms-error-code", "ConditionNotMet");
        shows("\"2\"", READERS_XML, OTHERS_XML);

        Outcome<WriteResult> set = bench.start(container().set(READERS));
        bench.pass(Duration.ofSeconds(10));

        assertThat(set.value().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(set.value().evidence()).isEqualTo(Evidence.CONTENT);
        assertThat(set.value().etag()).isEmpty();
        assertThat(methods()).containsExactly("GET", "PUT", "PUT", "GET");
        nextCallWorks();
    }

    @Test
    @DisplayName("OUTCOME-0: other policies after a lost response prove nothing")
    void otherPoliciesProveNothing() {
        shows("\"1\"", OTHERS_XML);
        wire().breaks(new IOException("reset")).responds(412, "", "x-ms-error-code", "ConditionNotMet");
        shows("\"2\"", OTHERS_XML);

        Outcome<WriteResult> set = bench.start(container().set(READERS));
        bench.pass(Duration.ofMinutes(5));

        assertThat(set.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("there are other policies");
        nextCallWorks();
    }

    @Test
    @DisplayName("OUTCOME-0: a container that keeps its version past the horizon proves that nothing was set")
    void theSameVersionAfterTheHorizonIsAPlainFailure() {
        retry = RetrySettings.builder().retries(0).build();
        shows("\"1\"", OTHERS_XML);
        wire().breaks(new IOException("reset"));
        shows("\"1\"", OTHERS_XML).shows("\"1\"", OTHERS_XML);

        Outcome<Boolean> removed = bench.start(container().remove("others"));
        bench.pass(Duration.ofSeconds(1));
        assertThat(removed.ended()).isFalse();
        bench.pass(Duration.ofMinutes(2));

        StorageException end = removed.storageError();
        assertThat(end).isNotInstanceOf(OutcomeUnknownException.class).hasMessageContaining("not been changed since");
        assertThat(methods()).containsExactly("GET", "PUT", "GET", "GET");
        nextCallWorks();
    }

    @Test
    @DisplayName("OUTCOME-8: a policy that is gone after a lost response counts as removed")
    void aRemovalIsReadBack() {
        retry = RetrySettings.builder().retries(0).build();
        wire().responds(200, xml(READERS_XML))
                .breaks(new IOException("reset"))
                .responds(503, "")
                .responds(200, xml());

        Outcome<Boolean> removed = bench.start(operations(Service.QUEUE).remove("readers"));
        bench.pass(Duration.ofSeconds(20));

        assertThat(removed.value()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: a queue that is gone after a lost response proves nothing")
    void aHolderThatIsGoneProvesNothing() {
        retry = RetrySettings.builder().retries(0).build();
        wire().responds(200, xml(READERS_XML))
                .breaks(new IOException("reset"))
                .responds(404, "", "x-ms-error-code", "QueueNotFound");

        Outcome<Boolean> removed = bench.start(operations(Service.QUEUE).remove("readers"));
        bench.pass(Duration.ofMinutes(2));

        assertThat(removed.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("it is not there now");
        nextCallWorks();
    }

    @Test
    void aLostResponseToTheReadIsOnlyReadAgain() {
        wire().breaks(new IOException("reset"));
        shows("\"1\"", OTHERS_XML);
        wire().responds(200, "", "ETag", "\"2\"");

        Outcome<WriteResult> set = bench.start(container().set(READERS));
        bench.pass(Duration.ofSeconds(10));

        assertThat(set.value().mayHaveRepeated()).isFalse();
    }

    @Test
    @DisplayName("RETRY-3: reading and writing share one deadline")
    void oneDeadlineHoldsForBothRequests() {
        wire().respondsAfter(Duration.ofSeconds(20), 200, xml()).otherwise(503, "");

        Outcome<WriteResult> set = bench.start(operations(Service.QUEUE).set(READERS));
        bench.pass(retry.deadline().plusSeconds(1));

        assertThat(set.ended()).isTrue();
        wire().otherwise(200, xml());
        assertThat(bench.start(operations(Service.QUEUE).list()).value()).isEmpty();
    }

    @Test
    void aResponseThatIsNoListIsAnError() {
        wire().otherwise(200, xml("<SignedIdentifier><AccessPolicy/></SignedIdentifier>"));

        Outcome<List<AccessPolicy>> read = bench.start(operations(Service.QUEUE).list());
        bench.pass(Duration.ofMinutes(5));

        assertThat(read.storageError()).hasMessageContaining("no list of stored access policies");
    }
}
