package io.stowline.blob.internal.recovery;

import static io.stowline.blob.internal.base.BlobBench.MARK;
import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/**
 * The outcome of the making and removing of a container, and of the making of an append blob, after a lost response.
 */
@Timeout(60)
class ExclusiveCreateTest {

    private static final String THERE = "ContainerAlreadyExists";

    private BlobBench bench = new BlobBench();

    private <A> BlobBench.Running<A> afterALostResponse(Mono<A> call) {
        bench.losesTheResponse();
        return bench.start(call);
    }

    private ContainerOperations container() {
        return new ContainerOperations(bench.scope());
    }

    private AppendOperations log() {
        return new AppendOperations(bench.scope(), "log");
    }

    private int sent() {
        return bench.wire().sent().size();
    }

    @Test
    @DisplayName("OUTCOME-5: making a container unless it is there leaves no mark")
    void leavesNoMark() throws Exception {
        bench.responds(201);
        assertThat(bench.start(container().createIfMissing()).valueNow()).isTrue();

        assertThat(bench.wire().last().header(MARK)).isNull();
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a response with another success than the documented one is none: the container is looked for")
    void isNoResponse() throws Exception {
        bench.responds(200, "Content-Type", "text/html");
        var making = bench.start(container().create());
        bench.awaitSent(1);
        bench.refuses(409, THERE).shows(NOW, NOW, MARK, bench.mark());
        making.value();

        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-5: making leaves a mark, and costs no request more while nothing goes wrong")
    void leavesAMark() throws Exception {
        bench.responds(201).responds(201);
        bench.start(container().create()).valueNow();
        bench.start(log().create()).valueNow();

        assertThat(bench.wire().sent())
                .hasSize(2)
                .extracting(request -> request.header(MARK))
                .doesNotContainNull();
    }

    @Test
    @DisplayName("OUTCOME-5: a container with our mark is ours")
    void isOurs() throws Exception {
        var making = afterALostResponse(container().create());
        bench.refuses(409, THERE).shows(NOW, NOW, MARK, bench.mark());
        making.value();
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-5, OUTCOME-0: an older container is a conflict once the horizon is over")
    void isAnothers() {
        var making = afterALostResponse(container().create());
        bench.refuses(409, THERE).shows(OLD, OLD).shows(OLD, OLD);

        assertThat(making.failure())
                .isInstanceOf(ConflictException.class)
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: a younger container, one that cannot be read, and none prove nothing")
    void isUnknown() {
        var making = afterALostResponse(container().create());
        bench.refuses(409, THERE).shows(OLD, NOW);
        assertThat(making.failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ConflictException.class);

        for (int status : new int[] {403, 404}) {
            bench = new BlobBench();
            making = afterALostResponse(container().create());
            bench.refuses(409, THERE).refuses(status, status == 404 ? "ContainerNotFound" : "AuthorizationFailure");
            assertThat(making.failure()).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    @DisplayName("OUTCOME-5: \"unless it is there\" waits for nothing: what is there counts as made by another")
    void isThere() throws Exception {
        var making = afterALostResponse(container().createIfMissing());
        bench.refuses(409, THERE);
        bench.pass(Duration.ofSeconds(20));
        assertThat(making.valueNow()).isFalse();
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("OUTCOME-0: without any response \"unless it is there\" needs to see a container")
    void isNotThere() throws Exception {
        bench = new BlobBench(settings -> settings.retries(1));
        var making = afterALostResponse(container().createIfMissing());
        bench.losesTheResponse().shows(NOW, NOW);
        assertThat(making.value()).isFalse();

        bench = new BlobBench(settings -> settings.retries(1));
        making = afterALostResponse(container().createIfMissing());
        bench.losesTheResponse().refuses(404, "ContainerNotFound");

        assertThat(making.failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class);
    }

    @Test
    @DisplayName(
            "OUTCOME-5: an append blob is known again by its mark, and an older one by when it was made, however often"
                    + " written since")
    void makesAnAppendBlob() throws Exception {
        var making = afterALostResponse(log().create());
        bench.refuses(409, "BlobAlreadyExists").shows(NOW, NOW, MARK, bench.mark());
        making.value();

        bench = new BlobBench();
        making = afterALostResponse(log().create());
        bench.refuses(409, "BlobAlreadyExists").shows(OLD, NOW).shows(OLD, NOW);
        assertThat(making.failure()).isInstanceOf(ConflictException.class);

        bench = new BlobBench();
        var unlessThere = afterALostResponse(log().createIfMissing());
        bench.refuses(409, "BlobAlreadyExists").shows(NOW, NOW).responds(200, "x-ms-blob-type", "AppendBlob");
        assertThat(unlessThere.value()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-3: a container that is gone after a lost response is removed")
    void removes() throws Exception {
        for (String code : new String[] {"ContainerNotFound", "ContainerBeingDeleted"}) {
            bench = new BlobBench();
            var removing = afterALostResponse(container().dropIfExists());
            bench.refuses(code.endsWith("Found") ? 404 : 409, code);
            assertThat(removing.value()).isTrue();
            assertThat(sent()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("OUTCOME-3: at the first attempt a missing container is told")
    void findsNoContainerToRemove() throws Exception {
        bench.refuses(404, "ContainerNotFound").refuses(404, "ContainerNotFound");

        assertThat(bench.start(container().dropIfExists()).valueNow()).isFalse();
        assertThat(bench.start(container().drop()).failureNow()).isInstanceOf(NotFoundException.class);
    }

    @Test
    @DisplayName("OUTCOME-0: what ends otherwise after a lost response is unknown")
    void mayHaveRemoved() {
        var removing = afterALostResponse(container().drop());
        bench.refuses(403, "AuthorizationFailure");

        assertThat(removing.failure()).isInstanceOf(OutcomeUnknownException.class);
    }
}
