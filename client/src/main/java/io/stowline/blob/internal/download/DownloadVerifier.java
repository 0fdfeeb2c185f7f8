package io.stowline.blob.internal.download;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.Md5;
import io.stowline.error.ProtocolException;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.request.Operation;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the pieces of a download are the whole blob: its length, and the MD5 that its writer stored. Only that of a block blob is
 * checked: the service does not keep it up with what is appended or written into pages later. Serves one download.
 */
public final class DownloadVerifier {

    private final String verb;
    private final BlobContext scope;
    private final MessageDigest md5 = Md5.begin();
    private @Nullable ReadOrigin origin;
    private @Nullable BlobPiece last;
    private long length;

    public DownloadVerifier(BlobContext scope, String verb) {
        this.scope = scope;
        this.verb = verb;
    }

    public void add(BlobPiece piece) {
        last = piece;
        origin = origin == null ? piece.facts().origin() : origin;
        length += piece.bytes().length;
        if (expected(piece.facts()) != null) {
            md5.update(piece.bytes());
        }
    }

    @Nullable
    private static String expected(BlobInfo facts) {
        return facts.type() == BlobType.BLOCK_BLOB ? facts.contentMd5() : null;
    }

    /** The blob, now that all of it is there; of the place of the first piece, which decided the version. */
    public BlobInfo checked() {
        BlobPiece piece = Objects.requireNonNull(last, "a download without an answer");
        BlobInfo whole = piece.facts();
        String expected = expected(whole);
        String found = Base64.getEncoder().encodeToString(md5.digest());
        if (length != whole.size()) {
            throw wrong(piece, "it has " + whole.size() + " bytes, but " + length + " arrived");
        }
        if (expected != null && !expected.equals(found)) {
            throw wrong(piece, "its stored MD5 is " + expected + ", but that of what arrived is " + found);
        }
        return whole.from(Objects.requireNonNull(origin));
    }

    private ProtocolException wrong(BlobPiece piece, String message) {
        Operation operation = scope.read(verb, scope.resource(piece.facts().name()));
        return new ProtocolException(
                FailureFacts.of(operation.name(), operation.resource())
                        .ids(piece.ids())
                        .tried(1, 0, Duration.ZERO)
                        .because(message, "checked after all of it had arrived"),
                null);
    }
}
