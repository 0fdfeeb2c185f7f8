package io.stowline.blob.internal;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobFacts;
import io.stowline.error.ProtocolException;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.Operation;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the pieces of a download are the whole blob: its length, and the MD5 that its writer stored. Only that of a block blob is
 * checked: the service does not keep it up with what is appended or written into pages later. Serves one download.
 */
final class Content {

    private final String verb;
    private final BlobScope scope;
    private final MessageDigest md5 = Md5.begin();
    private @Nullable ReadOrigin origin;
    private @Nullable Piece last;
    private long length;

    Content(BlobScope scope, String verb) {
        this.scope = scope;
        this.verb = verb;
    }

    void add(Piece piece) {
        last = piece;
        origin = origin == null ? piece.facts().origin() : origin;
        length += piece.bytes().length;
        if (expected(piece.facts()) != null) {
            md5.update(piece.bytes());
        }
    }

    @Nullable
    private static String expected(BlobFacts facts) {
        return facts.type() == BlobType.BLOCK_BLOB ? facts.contentMd5() : null;
    }

    /** The blob, now that all of it is there; of the place of the first piece, which decided the version. */
    BlobFacts checked() {
        Piece piece = Objects.requireNonNull(last, "a download without an answer");
        BlobFacts whole = piece.facts();
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

    private ProtocolException wrong(Piece piece, String message) {
        Operation operation = scope.read(verb, scope.resource(piece.facts().name()));
        return new ProtocolException(
                LocalFailure.of(operation, piece.ids()).because(message, "checked after all of it had arrived"), null);
    }
}
