package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;

/** A process that uploads content of unknown length, of several blobs at once: every second one is a stream, the others are publishers. */
final class UnknownLengthProcess {

    private static final int PIECE = 100_000;

    private UnknownLengthProcess() {}

    /** Takes the connection string, the container, the number of blobs and the bytes of each. */
    public static void main(String[] args) {
        int blobs = Integer.parseInt(args[2]);
        long bytes = Long.parseLong(args[3]);
        try (Stowline storage = Stowline.connect(args[0])) {
            BlobContainer container = storage.container(args[1]);
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < blobs; i++) {
                String name = String.valueOf(i);
                all.add(
                        i % 2 == 0
                                ? container
                                        .reactive()
                                        .upload(new Content(i, bytes), name)
                                        .toFuture()
                                : container
                                        .reactive()
                                        .upload(published(i, bytes), name)
                                        .toFuture());
            }
            all.forEach(CompletableFuture::join);
        }
    }

    private static Flux<ByteBuffer> published(int blob, long bytes) {
        return Flux.generate(() -> new Content(blob, bytes), (content, sink) -> {
            byte[] piece = new byte[PIECE];
            int count = content.read(piece, 0, PIECE);
            if (count < 0) {
                sink.complete();
            } else {
                sink.next(ByteBuffer.wrap(piece, 0, count));
            }
            return content;
        });
    }

    /** Bytes that differ from blob to blob and from block to block. */
    static final class Content extends InputStream {

        private final int blob;
        private final long length;
        private long position;

        Content(int blob, long length) {
            this.blob = blob;
            this.length = length;
        }

        private byte at(long index) {
            return (byte) (index + 31 * (index >>> 8) + 7 * (index >>> 20) + blob);
        }

        @Override
        public int read() {
            return position == length ? -1 : at(position++) & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int max) {
            int count = (int) Math.min(max, length - position);
            for (int i = 0; i < count; i++) {
                target[offset + i] = at(position++);
            }
            return count == 0 && max > 0 ? -1 : count;
        }
    }
}
