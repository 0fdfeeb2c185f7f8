package io.stowline.blob.internal.directory;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.UploadResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.download.BlobPiece;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.Download.Begun;
import io.stowline.blob.internal.upload.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Streams one blob through this client to another container, range by range and all of one version. Nothing is committed unless length and
 * stored MD5 of the source are right. Stateless.
 */
final class BlobCopy {

    private BlobCopy() {}

    /**
     * Copies a blob.
     *
     * @param settings how the copy is uploaded, by the version of the source that is read
     */
    static Mono<UploadResult> of(
            BlobContext source,
            String name,
            BlobContext target,
            String copy,
            Function<BlobInfo, UploadSettings> settings) {
        return Mono.usingWhen(
                new Download(source.atPrimary()).begun("copyDirectory", name, null),
                begun -> BlockingTask.call(() -> {
                    try (PieceStream content = new PieceStream(source.resource(name), begun)) {
                        return new Upload(target, copy, settings.apply(begun.facts())).stream(content);
                    }
                }),
                begun -> Mono.fromRunnable(begun::close));
    }

    /** The content of a blob as a stream, which fails at its end if the content is not that of the blob. Used by one thread. */
    private static final class PieceStream extends InputStream {

        private final String resource;
        private final BlobInfo facts;
        private final FluxCursor<BlobPiece> pieces;
        private final MessageDigest digest = Md5.begin();
        private byte[] piece = new byte[0];
        private int position;
        private long total;
        private boolean checked;

        PieceStream(String resource, Begun begun) {
            this.resource = resource;
            this.facts = begun.facts();
            this.pieces = new FluxCursor<>(begun.pieces());
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            while (position == piece.length) {
                position = 0;
                piece = new byte[0];
                if (checked || !pieces.hasNext()) {
                    check();
                    return -1;
                }
                piece = pieces.next().bytes();
                digest.update(piece);
                total += piece.length;
            }
            int count = Math.min(length, piece.length - position);
            System.arraycopy(piece, position, target, offset, count);
            position += count;
            return count;
        }

        /** Once: the upload may look for the end again. */
        private void check() throws IOException {
            if (checked) {
                return;
            }
            checked = true;
            String stored = facts.contentMd5();
            String read = Base64.getEncoder().encodeToString(digest.digest());
            if (total != facts.size() || (stored != null && !stored.equals(read))) {
                throw new IOException(resource + " has " + facts.size() + " bytes with the MD5 " + stored + ", but "
                        + total + " bytes with the MD5 " + read + " were read");
            }
        }

        @Override
        public void close() {
            pieces.close();
        }
    }
}
