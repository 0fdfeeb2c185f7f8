package io.stowline.system.ledger.copy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CopySettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One copy under faults, in a separate account, and the verdict on its result. The seed chooses the copy, what is at the target, the request at
 * which the fault comes and whether each later one has it, too, and a rival who changes source or target at a request.
 */
final class CopyStep {

    private static final int SIZE = 1_000;
    private static final int REQUESTS = 10;

    /** The kinds of copies. */
    enum CopyKind {
        ONE_REQUEST,
        BLOCKS,
        STARTED
    }

    /** The end of a copy, as its caller sees it. */
    enum ReportedEnd {
        DONE,
        REFUSED,
        UNKNOWN
    }

    /** The writes of a rival. */
    private enum Rival {
        NONE,
        CHANGES_THE_SOURCE,
        MAKES_THE_TARGET
    }

    /**
     * The verdict.
     *
     * @param wrong what is wrong, or {@code null}
     */
    record CopyVerdict(ReportedEnd end, @Nullable String wrong) {}

    private final MemoryStorage memory = MemoryStorage.create();
    private final CopyKind kind;
    private final boolean replaces;
    private final CopyFault fault;
    private final int faultAt;
    private final boolean lasting;
    private final Rival rival;
    private final int rivalAt;
    private final String copyEnd;
    private final byte[] content = new byte[SIZE];
    private final byte[] changed = new byte[SIZE + 1];
    private final byte[] old = new byte[SIZE / 2];
    private final byte[] ofRival = new byte[SIZE / 4];
    private final List<String> sent = new ArrayList<>();
    private boolean faulty = true;
    private boolean started;

    CopyStep(Random random) {
        kind = CopyKind.values()[random.nextInt(CopyKind.values().length)];
        replaces = kind != CopyKind.STARTED && random.nextBoolean();
        fault = CopyFault.values()[random.nextInt(CopyFault.values().length)];
        faultAt = random.nextInt(REQUESTS);
        lasting = random.nextInt(4) == 0;
        rival = Rival.values()[random.nextInt(Rival.values().length)];
        rivalAt = random.nextInt(REQUESTS);
        copyEnd = List.of("success", "failed", "aborted").get(random.nextInt(3));
        for (byte[] bytes : List.of(content, changed, old, ofRival)) {
            random.nextBytes(bytes);
        }
    }

    private Stowline client(HttpClient wire) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(wire)
                .retry(retry -> retry.retries(3)
                        .backoff(Backoff.fixed(Duration.ofMillis(1)))
                        .minAttempt(Duration.ofMillis(50))
                        .serverTimeout(Duration.ofSeconds(1))
                        .grace(Duration.ofMillis(100))
                        .deadline(Duration.ofSeconds(3)))
                .build();
    }

    private synchronized Mono<HttpResponse> wire(HttpRequest request, BlobContainer past) {
        if (!faulty) {
            return memory.httpClient().send(request);
        }
        int number = sent.size();
        CopyFault now = number == faultAt || (lasting && number > faultAt) ? fault : CopyFault.NONE;
        sent.add(request.getHttpMethod() + " " + request.getUrl().getPath() + " " + now);
        return (number == rivalAt ? written(past.reactive()) : Mono.empty())
                .then(Mono.defer(() -> now.send(request, memory.httpClient())));
    }

    /** A pending copy refuses each other write to its target. */
    private Mono<?> written(ReactiveBlobContainer past) {
        return switch (rival) {
            case NONE -> Mono.empty();
            case CHANGES_THE_SOURCE -> past.upload(changed, "source", o -> o.overwrite());
            case MAKES_THE_TARGET ->
                past.upload(ofRival, "target", o -> o.overwrite())
                        .onErrorResume(ConflictException.class, pending -> Mono.empty());
        };
    }

    private synchronized void withoutFaults() {
        faulty = false;
    }

    /** Copies, and judges the result. */
    CopyVerdict run() {
        try (Stowline direct = client(memory.httpClient())) {
            BlobContainer past = direct.container("photos");
            past.create();
            past.upload(content, "source");
            if (replaces) {
                past.upload(old, "target");
            }
            try (Stowline storage = client(request -> Mono.defer(() -> wire(request, past)))) {
                BlobContainer photos = storage.container("photos");
                ReportedEnd end;
                String error = "";
                try {
                    copy(photos);
                    end = ReportedEnd.DONE;
                } catch (OutcomeUnknownException unknown) {
                    end = ReportedEnd.UNKNOWN;
                    error = unknown.toString();
                } catch (StorageException refused) {
                    end = started ? ReportedEnd.UNKNOWN : ReportedEnd.REFUSED;
                    error = refused.toString();
                }
                withoutFaults();
                String wrong = wrong(end, past);
                if (wrong == null) {
                    photos.copyFrom(photos, "source", "next");
                    wrong = past.exists("next") ? null : "the next call has no effect";
                }
                return new CopyVerdict(end, wrong == null ? null : wrong + " after " + error + "; " + this);
            }
        }
    }

    private void copy(BlobContainer photos) {
        if (kind != CopyKind.STARTED) {
            UnaryOperator<CopySettings.Builder> settings =
                    o -> kind == CopyKind.BLOCKS ? o.blockSize(300).parallelism(1) : o;
            photos.copyFrom(photos, "source", "target", o -> settings.apply(replaces ? o.overwrite() : o));
            return;
        }
        memory.holdCopies();
        BlobCopy copy = photos.startCopy(photos, "source", "target");
        started = true;
        memory.endCopies(copyEnd);
        copy.join();
    }

    private @Nullable String wrong(ReportedEnd end, BlobContainer past) {
        Optional<ByteBuffer> found = past.find("target").map(blob -> content(past, blob));
        boolean whole = found.filter(is(content).or(is(changed))).isPresent();
        boolean before = replaces ? found.filter(is(old)).isPresent() : found.isEmpty();
        boolean another =
                rival == Rival.MAKES_THE_TARGET && found.filter(is(ofRival)).isPresent();
        if (kind == CopyKind.STARTED && end == ReportedEnd.UNKNOWN) {
            // A copy that was started and not joined may leave its empty target.
            return null;
        }
        if (!whole && !before && !another) {
            return "half: " + found.map(ByteBuffer::remaining) + " bytes";
        }
        return switch (end) {
            case DONE -> whole || another ? null : "done, and it is not there";
            case REFUSED -> whole ? "refused, and the copy is there" : null;
            case UNKNOWN -> null;
        };
    }

    /** The client refuses to read the empty target of a copy that has not ended well. */
    private static ByteBuffer content(BlobContainer past, BlobInfo target) {
        CopyStatusType status = target.copyStatus();
        return status == null || status == CopyStatusType.SUCCESS
                ? ByteBuffer.wrap(past.download("target"))
                : ByteBuffer.allocate(0);
    }

    private static Predicate<ByteBuffer> is(byte[] bytes) {
        return ByteBuffer.wrap(bytes)::equals;
    }

    @Override
    public synchronized String toString() {
        return kind + (replaces ? " over a blob" : " to a new blob") + ", " + fault + " at " + faultAt
                + (lasting ? " and later" : "") + ", rival " + rival + " at " + rivalAt + ", " + copyEnd + ": " + sent;
    }
}
