package io.stowline.blob.internal.download;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings.ChecksumPolicy;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.error.ProtocolException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.error.FailureFacts;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that the pieces of a download are the whole blob: its length, and the MD5 that its writer stored. Only that of a block blob is
 * checked: the service does not keep it up with what is appended or written into pages later. Serves one download.
 */
public final class DownloadVerifier {

    private static final Logger LOG = LoggerFactory.getLogger(DownloadVerifier.class);

    /** Up to so many bytes cost less to hash than a thread for them. */
    private static final int HASHED_AT_ONCE = 64 << 10;

    private final String verb;
    private final BlobContext context;
    private final ReadPlan plan;
    private final ChecksumPolicy policy;
    private @Nullable MessageDigest md5;
    private @Nullable BlobInfo blob;
    private FailureFacts.Ids ids = FailureFacts.Ids.NONE;
    private @Nullable String computed;
    private long length;

    public DownloadVerifier(BlobContext context, String verb, ReadPlan plan, ChecksumPolicy policy) {
        this.context = context;
        this.verb = verb;
        this.plan = plan;
        this.policy = policy;
    }

    /** Makes the verifier of a whole blob whose stored MD5 must be right. */
    public DownloadVerifier(BlobContext context, String verb) {
        this(context, verb, new ReadPlan(0, Long.MAX_VALUE, Download.PIECE, 1, null, null), ChecksumPolicy.IF_STORED);
    }

    /** Returns whether the MD5 of this blob is to be computed. */
    public boolean hashes(BlobInfo info) {
        return expected(info) != null;
    }

    private @Nullable String expected(BlobInfo info) {
        return policy != ChecksumPolicy.OFF && plan.isComplete() && info.type() == BlobType.BLOCK_BLOB
                ? info.contentMd5()
                : null;
    }

    /** Adds the next piece, in the order of the content. */
    public void add(BlobPiece piece) {
        add(piece.info(), piece.ids(), ByteBuffer.wrap(piece.bytes()));
    }

    /** Adds a piece on a separate thread if it is long; the piece must not be freed before the result. */
    public CompletableFuture<Boolean> addBeside(BlobPiece piece) {
        if (piece.bytes().length <= HASHED_AT_ONCE || !hashes(piece.info())) {
            add(piece);
            return CompletableFuture.completedFuture(true);
        }
        return BlockingTask.call(() -> {
                    add(piece);
                    return true;
                })
                .toFuture();
    }

    void add(BlobInfo info, FailureFacts.Ids from, ByteBuffer bytes) {
        blob = info;
        ids = from;
        length += bytes.remaining();
        if (hashes(info)) {
            md5().update(bytes);
        }
    }

    private MessageDigest md5() {
        MessageDigest begun = md5;
        if (begun == null) {
            begun = Md5.begin();
            md5 = begun;
        }
        return begun;
    }

    /** Checks content that has arrived elsewhere, with this MD5 or with none that was computed. */
    public BlobInfo checked(BlobInfo info, @Nullable String md5OfAll) {
        blob = info;
        length = info.size();
        computed = md5OfAll;
        return checked();
    }

    /** Returns the blob, after a check of all its content. */
    public BlobInfo checked() {
        BlobInfo whole = Objects.requireNonNull(blob, "a download without a response");
        long wanted = Math.max(0, plan.end(whole.size()) - plan.from());
        if (length != wanted) {
            throw wrong(whole, "it has " + wanted + " bytes, but " + length + " arrived");
        }
        String expected = expected(whole);
        if (expected != null) {
            String found = computed == null ? Base64.getEncoder().encodeToString(md5().digest()) : computed;
            compare(whole, expected, found);
        }
        return whole;
    }

    private void compare(BlobInfo whole, String expected, String found) {
        if (expected.equals(found)) {
            return;
        }
        String message = "its stored MD5 is " + expected + ", but that of what arrived is " + found;
        if (policy == ChecksumPolicy.IF_STORED) {
            throw wrong(whole, message);
        }
        LOG.warn("{} {}: {}", verb, PrintableText.of(context.resource(whole.name())), message);
    }

    private ProtocolException wrong(BlobInfo whole, String message) {
        return new ProtocolException(
                FailureFacts.of(verb, context.resource(whole.name()))
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .because(message, "checked after all of it had arrived"),
                null);
    }
}
