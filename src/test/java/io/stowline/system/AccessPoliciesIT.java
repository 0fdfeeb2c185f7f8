package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureSasCredential;
import com.azure.storage.blob.models.PublicAccessType;
import io.stowline.Stowline;
import io.stowline.access.AccessPolicies;
import io.stowline.access.AccessPolicy;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ACCESS-3: stored access policies in use. The emulator applies a change at once, the service within 30 seconds. */
@Timeout(120)
@DisplayName("ACCESS-3: stored access policies give access and take it back")
class AccessPoliciesIT extends StorageTest {

    private static final Instant END = Instant.parse("2999-01-01T00:00:00.1234567Z");

    private final String suffix = UUID.randomUUID().toString().replace("-", "");
    private Table<Entity> runners;
    private MessageQueue<String> orders;
    private BlobContainer photos;

    @BeforeEach
    void make() {
        runners = storage.table("Runners" + suffix);
        runners.create();
        orders = storage.queue("orders" + suffix);
        orders.create();
        photos = storage.container("photos" + suffix);
        photos.create();
    }

    @AfterEach
    void drop() {
        orders.dropIfExists();
        runners.dropIfExists();
        photos.dropIfExists();
    }

    /** A signature works until its policy is removed. */
    private void worksUntilRemoved(
            AccessPolicies<?> policies, SharedAccessSignature signature, Consumer<Stowline> use) {
        Map<String, URI> endpoints = storage.endpoints();
        try (Stowline other = Stowline.builder()
                .tableEndpoint(endpoints.get("table").toString())
                .queueEndpoint(endpoints.get("queue").toString())
                .blobEndpoint(endpoints.get("blob").toString())
                .credential(new AzureSasCredential(signature.token()))
                .build()) {
            use.accept(other);
            assertThat(policies.remove("others")).isFalse();
            assertThat(policies.remove("readers")).isTrue();
            assertThat(policies.list()).isEmpty();
            assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> use.accept(other));
        }
    }

    @Test
    void ofAContainer() {
        photos.upload("1".getBytes(StandardCharsets.UTF_8), "a");
        photos.policies().set("readers", with -> with.canRead().validFor(Duration.ofHours(1)));

        worksUntilRemoved(
                photos.policies(), photos.sas("a").byPolicy("readers").sign(), other -> other.container(photos.name())
                        .download("a"));
    }

    @Test
    void ofAQueue() {
        orders.send("one");
        orders.policies().set("readers", with -> with.canPeek().validFor(Duration.ofHours(1)));

        worksUntilRemoved(orders.policies(), orders.sas().byPolicy("readers").sign(), other -> assertThat(
                        other.queue(orders.name()).peek(1))
                .extracting(PeekedMessage::body)
                .containsExactly("one"));
    }

    @Test
    void ofATable() {
        runners.insert(Entity.builder("p", "r").build());
        runners.policies().set("readers", with -> with.canQuery().backdated().validFor(Duration.ofHours(1)));

        worksUntilRemoved(runners.policies(), runners.sas().byPolicy("readers").sign(), other -> assertThat(
                        other.table(runners.name()).find("p", "r"))
                .isPresent());
    }

    /** The emulator takes policies of tables only with all their parts. */
    private static void keepsOthers(AccessPolicies<?> policies) {
        Optional<Instant> start = Optional.of(Instant.EPOCH);
        AccessPolicy first = new AccessPolicy("first", "r", start, Optional.of(END));
        AccessPolicy second = new AccessPolicy("<sec & ond>", "r", start, Optional.of(END.minusSeconds(1)));
        AccessPolicy changed = new AccessPolicy("first", "r", start, Optional.of(END.minusSeconds(2)));

        policies.replaceAll(List.of(first, second));
        assertThat(policies.list()).containsExactly(first, second);
        policies.set(changed);
        assertThat(policies.list()).containsExactly(changed, second);
        policies.remove("first");
        assertThat(policies.list()).containsExactly(second);
        policies.replaceAll(List.of());
        assertThat(policies.list()).isEmpty();
    }

    @Test
    void settingOneKeepsTheOthers() {
        keepsOthers(photos.policies());
        keepsOthers(orders.policies());
        keepsOthers(runners.policies());
    }

    /** The emulator stores such a policy, but takes no signature by it. */
    @Test
    void aPolicyMayLeaveItsTimesToSignatures() {
        orders.policies().set("readers", with -> with.canPeek());

        assertThat(orders.policies().list())
                .containsExactly(new AccessPolicy("readers", "r", Optional.empty(), Optional.empty()));
    }

    private static void survivesLostResponses(AccessPolicies<?> policies) {
        AccessPolicy first = new AccessPolicy("first", "r", Optional.of(Instant.EPOCH), Optional.of(END));
        AccessPolicy second = new AccessPolicy("second", "r", Optional.of(Instant.EPOCH), Optional.of(END));
        policies.replaceAll(List.of(first));
        RequestMatch lists = requests().query("comp", "acl").times(1);
        proxy().when(lists.method("GET")).loseResponse();
        proxy().when(lists.method("PUT")).loseResponse();

        policies.set(second);
        assertThat(policies.list()).containsExactly(first, second);

        proxy().when(lists.method("PUT")).loseResponse();
        assertThat(policies.remove("first")).isTrue();
        assertThat(policies.list()).containsExactly(second);

        proxy().when(lists.method("PUT")).loseResponse();
        policies.replaceAll(List.of(first));
        assertThat(policies.list()).containsExactly(first);
    }

    @Test
    @DisplayName("ACCESS-3: a lost response to each request leaves the policies as they were requested")
    void lostResponsesAreSettled() {
        survivesLostResponses(photos.policies());
        survivesLostResponses(orders.policies());
        survivesLostResponses(runners.policies());
    }

    private static AccessPolicy until(String id, int seconds) {
        return new AccessPolicy(id, "r", Optional.of(Instant.EPOCH), Optional.of(END.minusSeconds(seconds)));
    }

    /** The condition of a container counts whole seconds of the emulator, whose clock is that of this machine. */
    private static void inALaterSecond() {
        Instant next = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        while (Instant.now().isBefore(next)) {
            ShortPause.park();
        }
    }

    @Test
    @DisplayName("ACCESS-3: a setter that another one has overtaken reads once more, and both policies are there")
    void twoSettersOfAContainer() throws Exception {
        RequestMatch writes = requests().method("PUT").query("comp", "acl");
        RequestHold hold = new RequestHold();
        proxy().clear();
        FaultRule held = proxy().when(writes.times(1)).holdBefore(hold);
        CompletableFuture<WriteResult> first =
                photos.reactive().policies().set(until("first", 1)).toFuture();
        hold.awaitArrived(Duration.ofSeconds(20));
        inALaterSecond();
        photos.policies().set(until("second", 2));
        hold.release();
        held.remove();

        assertThat(first.get(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(photos.policies().list()).containsExactlyInAnyOrder(until("first", 1), until("second", 2));
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded(writes)).hasSize(3);
    }

    @Test
    @DisplayName("ACCESS-3: setters on threads end with their effect or a refusal, and what was there before stays")
    void settersOnThreads() throws Exception {
        List<String> ids = List.of("one", "two", "three", "four");
        AccessPolicy before = until("before", 0);
        photos.policies().set(before);
        for (int round = 1; round <= 5; round++) {
            inALaterSecond();
            int seconds = round;
            List<CompletableFuture<Throwable>> ends = ids.stream()
                    .map(id -> CompletableFuture.supplyAsync(
                            () -> catchThrowable(() -> photos.policies().set(until(id, seconds)))))
                    .toList();
            for (CompletableFuture<Throwable> end : ends) {
                Throwable failure = end.get(60, TimeUnit.SECONDS);
                assertThat(failure == null || failure instanceof PreconditionFailedException)
                        .as("%s", failure)
                        .isTrue();
            }
            // Of changes within one second the service shows the last one only.
            assertThat(photos.policies().list())
                    .contains(before)
                    .containsAnyElementsOf(
                            ids.stream().map(id -> until(id, seconds)).toList());
        }
        ids.forEach(id -> photos.policies().set(until(id, 9)));

        assertThat(photos.policies().list())
                .contains(before)
                .containsAll(ids.stream().map(id -> until(id, 9)).toList());
    }

    @Test
    void aContainerKeepsItsPublicAccess() {
        photos.unwrap().setAccessPolicy(PublicAccessType.BLOB, null).block();

        photos.policies().set("readers", with -> with.canRead());
        photos.policies().replaceAll(photos.policies().list());
        photos.policies().remove("readers");

        assertThat(photos.unwrap().getProperties().block().getBlobPublicAccess())
                .isEqualTo(PublicAccessType.BLOB);
    }

    @Test
    void ofTheReactiveFacesAreTheSame() {
        photos.reactive().policies().set("readers", with -> with.canRead()).block();
        orders.reactive().policies().set("readers", with -> with.canPeek()).block();
        runners.reactive()
                .policies()
                .set("readers", with -> with.canQuery().backdated().validFor(Duration.ofHours(1)))
                .block();

        assertThat(photos.reactive().policies().list().block())
                .isEqualTo(photos.policies().list())
                .hasSize(1);
        assertThat(orders.reactive().policies().list().block())
                .isEqualTo(orders.policies().list())
                .hasSize(1);
        assertThat(runners.reactive().policies().list().block())
                .isEqualTo(runners.policies().list())
                .hasSize(1);
        assertThat(runners.reactive().policies().remove("readers").block()).isTrue();
        assertThat(runners.reactive().policies().replaceAll(List.of()).block()).isNotNull();
    }

    @Test
    void ofWhatIsMissingAreAnError() {
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.queue("missing" + suffix).policies().list());
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.table("Missing" + suffix).policies().set("a", with -> with.canQuery()));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(
                        () -> storage.container("missing" + suffix).policies().remove("a"));
    }
}
