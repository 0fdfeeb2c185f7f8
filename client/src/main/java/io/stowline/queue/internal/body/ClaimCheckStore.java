package io.stowline.queue.internal.body;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.queue.internal.BodyException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.transport.internal.outcome.StagedStep;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The blobs that hold the bodies of one queue's messages, as the claim check pattern has it (decision 90). They are in a folder with
 * the queue's name, and each is named by the id of its message: no message can name the blob of another one, or a blob
 * of another program. A blob is written before its message and removed after it, under the version that the message
 * names. Each message has a separate blob, its copy in the poison queue, too; only a send that may have put two
 * messages there shares one, which then has another version than they name. Thread-safe.
 *
 * @param container the container, which must exist
 * @param folder the name of the queue, or that of all its shards
 */
public record ClaimCheckStore(ReactiveBlobContainer container, String folder) {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimCheckStore.class);
    private static final String TIME_TO_LIVE = "stowlinettl";
    private static final String MOVED = "stowlinemoved";
    private static final String WAITING = "stowlinewaiting";
    private static final String NEVER = "never";

    /** The longest wait of a message in an outbox for which its body is kept. */
    private static final Duration MAX_WAIT = Duration.ofDays(30);

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,10}");

    /** The proof that the write or the removal of a blob changes no message. */
    private static final String NO_MESSAGE = "no message names the blob";

    private static final int AT_ONCE = 8;
    private static final int PAGE = 500;

    /** Copies this store with a view of its container. */
    ClaimCheckStore with(UnaryOperator<ReactiveBlobContainer> view) {
        return new ClaimCheckStore(view.apply(container), folder);
    }

    /** Returns the blob with the body of a message, or {@code null} if none of these blobs can hold it. */
    public @Nullable Claim claim(@Nullable MessageEnvelope message) {
        Claim claim = message == null ? null : message.claim();
        return claim != null && claim.isIn(folder) ? claim : null;
    }

    private Mono<Claim> put(String name, byte[] body, Map<String, String> metadata) {
        return container
                .upload(body, name, settings -> settings.overwrite().metadata(metadata))
                .map(written -> new Claim(name, written.etag(), hash(body)));
    }

    /** Shows that a blob still has the body that was sent: its version changes with its metadata, too. */
    private static String hash(byte[] body) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /**
     * Returns the metadata of a blob whose message is sent.
     *
     * @param timeToLive how long the message is kept, or {@code null} for the service's default
     */
    public static Map<String, String> ofSent(@Nullable Duration timeToLive) {
        return Map.of(TIME_TO_LIVE, lifetime(timeToLive));
    }

    /**
     * Returns the metadata of a blob whose message moves from the queue to its poison queue, or back: the message may
     * be in either.
     *
     * @param timeToLive how long it is kept in the queue, or {@code null} for the service's default
     */
    public static Map<String, String> ofMoved(@Nullable Duration timeToLive) {
        return Map.of(TIME_TO_LIVE, lifetime(timeToLive), MOVED, "true");
    }

    /**
     * Returns the metadata of a blob whose message waits in an outbox: a queue without messages does not show that it is unused.
     *
     * @param timeToLive how long the message is kept once it is sent, or {@code null} for the service's default
     */
    static Map<String, String> ofWaiting(@Nullable Duration timeToLive) {
        Duration kept = timeToLive == null ? QueueTimeLimits.DEFAULT_TIME_TO_LIVE : timeToLive;
        return Map.of(
                TIME_TO_LIVE,
                lifetime(QueueTimeLimits.NEVER.equals(kept) ? kept : kept.plus(MAX_WAIT)),
                WAITING,
                "true");
    }

    private static String lifetime(@Nullable Duration timeToLive) {
        Duration kept = timeToLive == null ? QueueTimeLimits.DEFAULT_TIME_TO_LIVE : timeToLive;
        return QueueTimeLimits.NEVER.equals(kept) ? NEVER : String.valueOf(kept.toSeconds());
    }

    /** Reads a body. A blob that is gone or was replaced is a failure of the message alone. */
    Mono<byte[]> get(Claim claim, int limit) {
        return container
                .download(claim.name(), limit)
                .flatMap(body -> claim.hash() == null || claim.hash().equals(hash(body))
                        ? Mono.just(body)
                        : Mono.error(new BodyException(
                                "the blob " + claim.name() + " no longer holds the body that was sent", null)))
                .onErrorMap(
                        ClaimCheckStore::isGone,
                        e -> new BodyException(
                                "the blob " + claim.name()
                                        + " with its body is gone: the message was handled before, or the blob was"
                                        + " removed",
                                null))
                .onErrorMap(
                        e -> e instanceof IllegalStateException && !(e instanceof ClosedException),
                        e -> new BodyException(
                                "the blob " + claim.name() + " with its body has more than " + limit + " bytes", null));
    }

    /** Returns whether a blob does not exist, although its container does. */
    public static boolean isGone(Throwable error) {
        return error instanceof NotFoundException absent
                && "BlobNotFound".equals(absent.failure().errorCode());
    }

    /** Removes the body of a message that is done, unless another message needs it. What fails is left to the sweep. */
    public Mono<Void> discard(Claim claim) {
        return StagedStep.of(
                        NO_MESSAGE, container.delete(claim.name(), claim.etag()).then())
                .onErrorResume(PreconditionFailedException.class, e -> Mono.empty())
                .onErrorResume(NotFoundException.class, e -> Mono.empty())
                .onErrorResume(RuntimeException.class, e -> {
                    LOG.debug("the blob {} is not removed yet", claim.name(), e);
                    return Mono.empty();
                });
    }

    /**
     * Writes a body and sends the message that names it. The body is removed again if the message certainly was not sent, and kept for both if
     * it may have been sent twice. Where the write of the body fails or is cut, no message was sent, whatever became of the blob.
     *
     * @param id the event that has the body
     * @param metadata that of its blob
     * @param repeated whether a result shows that there may be two messages
     */
    public <R> Mono<R> carry(
            String id,
            byte[] body,
            Map<String, String> metadata,
            Function<Claim, Mono<R>> send,
            Predicate<? super R> repeated) {
        return StagedStep.of(NO_MESSAGE, put(Claim.nameFor(folder, id), body, metadata))
                .flatMap(claim -> Mono.defer(() -> send.apply(claim))
                        .flatMap(result -> repeated.test(result)
                                ? share(claim, body, metadata).thenReturn(result)
                                : Mono.just(result))
                        .onErrorResume(error -> {
                            Mono<R> failed = Mono.error(error);
                            return error instanceof OutcomeUnknownException
                                    ? failed
                                    : discard(claim).then(failed);
                        }));
    }

    /**
     * Copies the body of a message, and sends another message that names the copy. A body that is gone for good cannot be copied: the other
     * message then names what this one names.
     *
     * @param id the event that has the body
     * @param metadata that of the other blob
     * @param repeated whether a result shows that there may be two messages
     */
    public <R> Mono<R> copy(
            String id,
            Claim claim,
            Map<String, String> metadata,
            Function<Claim, Mono<R>> send,
            Predicate<? super R> repeated) {
        return get(claim, Integer.MAX_VALUE)
                .map(body -> carry(id, body, metadata, send, repeated))
                .onErrorResume(BodyException.class, lost -> Mono.just(send.apply(claim)))
                .flatMap(Function.identity());
    }

    /** The body may belong to two messages, so that neither of them removes it. */
    private Mono<Void> share(Claim claim, byte[] body, Map<String, String> metadata) {
        return container
                .setMetadata(claim.name(), metadata)
                .then()
                .onErrorResume(ClaimCheckStore::isGone, gone -> put(claim.name(), body, metadata)
                        .then())
                .onErrorResume(RuntimeException.class, e -> {
                    LOG.debug("the blob {} is not kept for a second message", claim.name(), e);
                    return Mono.empty();
                });
    }

    /**
     * Removes the bodies of a queue that no message needs: those whose message has expired, and all if no message is left. Those of
     * messages that moved to or from the poison queue stay as long as that has any.
     *
     * @param messages about how many messages may have their bodies in the folder, never less
     * @param time gives the service's clock
     * @param olderThan how long ago a blob was written last at the least
     * @return how many were removed
     */
    public Mono<Long> sweep(Mono<Long> messages, QueueOperations poison, Mono<Instant> time, Duration olderThan) {
        return time.map(now -> now.minus(olderThan)).flatMap(until -> container.stream(folder + "/")
                .filter(blob -> blob.lastModified().isBefore(until))
                .buffer(PAGE)
                .concatMap(blobs -> removed(blobs, messages, poison, until))
                .reduce(0L, Long::sum));
    }

    /** The count is read after the listing of the blobs: a message that comes in between has a younger blob. */
    private Flux<Long> removed(List<BlobInfo> blobs, Mono<Long> messages, QueueOperations poison, Instant until) {
        return messages.zipWhen(counted -> count(poison))
                .flatMapMany(counts -> Flux.fromIterable(blobs)
                        .filter(blob -> isOrphan(blob, counts.getT1() == 0, counts.getT2() == 0, until)))
                .flatMap(
                        blob -> container
                                .delete(blob.name(), blob.etag())
                                .thenReturn(1L)
                                .onErrorResume(PreconditionFailedException.class, e -> Mono.empty())
                                .onErrorResume(NotFoundException.class, e -> Mono.empty()),
                        AT_ONCE);
    }

    private static Mono<Long> count(QueueOperations queue) {
        return queue.approximateCount().onErrorResume(NotFoundException.class, absent -> Mono.just(0L));
    }

    /** Blobs that others have put into the folder are not the library's. */
    private static boolean isOrphan(BlobInfo blob, boolean none, boolean noPoison, Instant until) {
        String lifetime = blob.metadata().get(TIME_TO_LIVE);
        if (lifetime == null) {
            return false;
        }
        boolean emptied = none && !blob.metadata().containsKey(WAITING);
        boolean unused = emptied || hasExpired(blob, lifetime, until);
        return unused && (noPoison || !blob.metadata().containsKey(MOVED));
    }

    private static boolean hasExpired(BlobInfo blob, String seconds, Instant until) {
        return SECONDS.matcher(seconds).matches()
                && blob.lastModified().plusSeconds(Long.parseLong(seconds)).isBefore(until);
    }
}
