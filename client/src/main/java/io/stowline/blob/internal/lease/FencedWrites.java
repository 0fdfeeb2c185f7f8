package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.account.NameRules;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The writes of one term to one blob. The term writes its number first; from then on each write names the ETag that this term made last, which
 * a later term changes by its own number. Thread-safe; one write at a time.
 */
public final class FencedWrites {

    /** The reads of a blob that other clients write at the same time. */
    private static final int MAX_TRIES = 5;

    private final Term term;
    private final BlobContext context;
    private final String name;
    /** {@code null} until the term has fenced the blob, and after a write whose ETag is not known. */
    private volatile @Nullable String etag;

    /** Prepares the writes; nothing is sent. */
    public FencedWrites(Term term, BlobContext context, String name) {
        this.term = term;
        this.context = context.with(ReadFrom.PRIMARY);
        this.name = NameRules.blob(name);
    }

    /** Returns the blob's name. */
    public String name() {
        return name;
    }

    /** Writes the number of the term into the blob. */
    public Mono<FencedWrites> fence() {
        return fenced(MAX_TRIES).doOnNext(found -> etag = found).thenReturn(this);
    }

    private Mono<String> fenced(int tries) {
        Mono<String> once = Mono.defer(() -> {
            term.holder().requireHeld();
            return new BlobOperations(context)
                    .find(name)
                    .flatMap(this::numbered)
                    .switchIfEmpty(Mono.defer(this::created));
        });
        return tries == 0
                ? once
                : once.filter(found -> !found.isEmpty())
                        .onErrorResume(FencedWrites::isOvertaken, e -> Mono.empty())
                        .switchIfEmpty(Mono.defer(() -> fenced(tries - 1)));
    }

    private static boolean isOvertaken(Throwable error) {
        return error instanceof PreconditionFailedException || Upload.isTaken(error);
    }

    private Mono<String> created() {
        UploadSettings settings = UploadSettings.builder()
                .metadata(TermNumber.set(Map.of(), term.number()))
                .build();
        return new Upload(context, name, settings).bytes(new byte[0]).map(BlobWriteResult::etag);
    }

    private Mono<String> numbered(BlobInfo info) {
        long stored = TermNumber.in(context.resource(name), info.metadata());
        if (stored > term.number()) {
            return Mono.error(new LeaseLostException(
                    "term " + term.number() + " is over: term " + stored + " has fenced " + context.resource(name),
                    null));
        }
        return stored == term.number()
                ? Mono.just(info.etag())
                : new BlobOperations(context)
                        .setMetadata(name, TermNumber.set(info.metadata(), term.number()), info.etag())
                        .map(made -> made.etag());
    }

    /** Replaces the content, if no other client has written the blob since. */
    public Mono<BlobWriteResult> upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings) {
        return Mono.defer(() -> {
            String known = etag;
            return known == null
                    ? fence().then(Mono.defer(() -> upload(content, settings)))
                    : upload(content, settings, known);
        });
    }

    private Mono<BlobWriteResult> upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings, String known) {
        term.holder().requireHeld();
        UploadSettings wanted = settings.apply(UploadSettings.builder()).build();
        UploadSettings fenced = wanted.toBuilder()
                .ifMatch(known)
                .metadata(TermNumber.set(wanted.metadata(), term.number()))
                .build();
        return new Upload(context, name, fenced)
                .bytes(content)
                .doOnNext(made -> etag = made.etag().isEmpty() ? null : made.etag())
                .doOnError(OutcomeUnknownException.class, e -> etag = null);
    }
}
