package io.stowline.journal.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** Files on a disk that can be full: then what is written is written in part. */
@SuppressWarnings("exports") // the store makes its instances by reflection
public final class FullDisk extends FilePathWrapper {

    static final String SCHEME = "fulldisk";
    static final AtomicBoolean FULL = new AtomicBoolean();

    /** An action beside every write. */
    static final AtomicReference<Runnable> BROKEN = new AtomicReference<>();

    /** True if a file that is opened again cannot be written at all. */
    static final AtomicBoolean BROKEN_NEXT = new AtomicBoolean();

    static {
        FilePath.register(new FullDisk());
    }

    /** Makes the prototype, and each path from it. */
    public FullDisk() {}

    static String prefix() {
        return SCHEME + ":";
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Channel(getBase().open(mode), BROKEN_NEXT.get());
    }

    private static final class Channel extends FileBaseDefault {

        private final FileChannel base;
        private final boolean broken;

        Channel(FileChannel base, boolean broken) {
            this.base = base;
            this.broken = broken;
        }

        @Override
        public synchronized int write(ByteBuffer bytes, long position) throws IOException {
            Runnable besides = BROKEN.get();
            if (besides != null) {
                besides.run();
            }
            if (broken) {
                throw new AssertionError("broken");
            }
            if (!FULL.get()) {
                return base.write(bytes, position);
            }
            ByteBuffer half = bytes.duplicate();
            half.limit(half.position() + half.remaining() / 2);
            base.write(half, position);
            throw new IOException("No space left on device");
        }

        @Override
        public synchronized int read(ByteBuffer into, long position) throws IOException {
            return base.read(into, position);
        }

        @Override
        public long size() throws IOException {
            return base.size();
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            base.truncate(size);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            base.force(metadata);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return base.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            base.close();
        }
    }
}
