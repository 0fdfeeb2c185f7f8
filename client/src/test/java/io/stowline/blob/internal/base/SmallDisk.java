package io.stowline.blob.internal.base;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A folder of the disk as a file system that takes only so many bytes more, or fails in another operation as a full disk does. */
public final class SmallDisk extends FileSystemProvider {

    /** The message of systems. */
    public static final String FULL = "No space left on device";

    /** The operation that a full disk refuses. */
    public enum Refused {
        NOTHING,
        CREATE,
        FORCE,
        MODE,
        MOVE
    }

    private final FileSystem disk = FileSystems.getDefault();
    private final FileSystem small = new SmallFileSystem();
    private final AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger longest = new AtomicInteger();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile String ending = "";
    private volatile String closed = " ";
    private volatile Refused refused = Refused.NOTHING;
    private volatile Runnable beforeWrite = () -> {};
    private volatile Runnable beforeForce = () -> {};

    private interface Wrapped {
        Path base();
    }

    /** Returns the same path on this disk. */
    public Path on(Path base) {
        return (Path) Proxy.newProxyInstance(
                SmallDisk.class.getClassLoader(), new Class<?>[] {Path.class, Wrapped.class}, (self, method, given) -> {
                    if (method.getName().equals("base")) {
                        return base;
                    }
                    if (method.getName().equals("getFileSystem")) {
                        return small;
                    }
                    if (method.getName().equals("toRealPath")) {
                        calls.add("follow " + base.getFileName());
                    }
                    Object[] arguments = given == null ? new Object[0] : given.clone();
                    for (int i = 0; i < arguments.length; i++) {
                        arguments[i] = arguments[i] instanceof Wrapped other ? other.base() : arguments[i];
                    }
                    try {
                        Object result = method.invoke(base, arguments);
                        return result instanceof Path path ? on(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Takes so many bytes more in files of this ending. */
    public void hasRoomFor(long bytes, String end) {
        ending = end;
        room.set(bytes);
    }

    /** Refuses one kind of operation on files of this ending. */
    public void refuses(Refused what, String end) {
        ending = end;
        refused = what;
    }

    /** Makes folders of this name unreadable. */
    public void closes(String folder) {
        closed = folder;
    }

    /** Does something before each write to files of this ending. */
    public void beforeWrite(Runnable work, String end) {
        ending = end;
        beforeWrite = work;
    }

    /** Does something before all of a file of this ending has to be on the disk. */
    public void beforeForce(Runnable work, String end) {
        ending = end;
        beforeForce = work;
    }

    /** The disk has room again. */
    public void clear() {
        room.set(Long.MAX_VALUE);
        refused = Refused.NOTHING;
    }

    /** The most bytes that a channel was given or was to read at once. */
    public int longest() {
        return longest.get();
    }

    /** Returns the operations so far: the operation, a space and the file's name. */
    public List<String> calls() {
        return calls;
    }

    private void called(String what, Path path) {
        calls.add(what + " " + path.getFileName());
    }

    /** The channels that are open. */
    public int open() {
        return open.get();
    }

    private static Path base(Path path) {
        return path instanceof Wrapped wrapped ? wrapped.base() : path;
    }

    private boolean concerns(Path path) {
        return path.getFileName().toString().endsWith(ending);
    }

    private void check(Refused what, Path path) throws IOException {
        if (refused == what && concerns(path)) {
            throw new FileSystemException(path.toString(), null, FULL);
        }
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        called("open", path);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            check(Refused.CREATE, path);
        }
        FileChannel channel = FileChannel.open(base(path), options, attributes);
        open.incrementAndGet();
        return new SmallChannel(channel, path);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        called("open", path);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            check(Refused.CREATE, path);
        }
        return Files.newByteChannel(base(path), options, attributes);
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // closed with what is returned
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        if (base(path).endsWith(closed)) {
            throw new AccessDeniedException(path.toString());
        }
        DirectoryStream<Path> files = Files.newDirectoryStream(base(path), filter);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> each = files.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return each.hasNext();
                    }

                    @Override
                    public Path next() {
                        return on(each.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                files.close();
            }
        };
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        called("make", path);
        Files.createDirectory(base(path), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        called("delete", path);
        long size = concerns(path) && Files.isRegularFile(base(path)) ? Files.size(base(path)) : 0;
        Files.delete(base(path));
        room.getAndUpdate(left -> Math.max(left, left + size));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        called("move", to);
        check(Refused.MOVE, from);
        Files.move(base(from), base(to), options);
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        Files.copy(base(from), base(to), options);
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(base(one), base(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(base(path));
    }

    @Override
    public FileStore getFileStore(Path path) {
        return new SmallStore();
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        called("look", path);
        disk.provider().checkAccess(base(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        V view = Files.getFileAttributeView(base(path), type, options);
        if (type != PosixFileAttributeView.class || view == null) {
            return view;
        }
        return type.cast(Proxy.newProxyInstance(
                SmallDisk.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("setPermissions")) {
                        check(Refused.MODE, path);
                    }
                    try {
                        return method.invoke(view, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        called("look", path);
        return Files.readAttributes(base(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        called("look", path);
        return Files.readAttributes(base(path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(base(path), name, value, options);
    }

    @Override
    public String getScheme() {
        return "small";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    private final class SmallFileSystem extends FileSystem {

        @Override
        public FileSystemProvider provider() {
            return SmallDisk.this;
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return disk.supportedFileAttributeViews();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return disk.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path getPath(String first, String... more) {
            return on(disk.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return disk.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    }

    private final class SmallStore extends FileStore {

        @Override
        public String name() {
            return "small";
        }

        @Override
        public String type() {
            return "small";
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public long getTotalSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public long getUsableSpace() {
            return room.get();
        }

        @Override
        public long getUnallocatedSpace() {
            return room.get();
        }

        @Override
        public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
            return true;
        }

        @Override
        public boolean supportsFileAttributeView(String name) {
            return true;
        }

        @Override
        public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object getAttribute(String attribute) {
            throw new UnsupportedOperationException();
        }
    }

    /** Writes as much as there is room for, as POSIX does. */
    private final class SmallChannel extends FileChannel {

        private final FileChannel base;
        private final Path path;

        SmallChannel(FileChannel base, Path path) {
            this.base = base;
            this.path = path;
        }

        /** A part of the bytes for which there is room. */
        private ByteBuffer fitting(ByteBuffer from) throws IOException {
            longest.accumulateAndGet(from.remaining(), Math::max);
            if (!concerns(path)) {
                return from.slice();
            }
            beforeWrite.run();
            long before = room.getAndUpdate(left -> left - Math.min(left, from.remaining()));
            if (before == 0 && from.hasRemaining()) {
                throw new IOException(FULL);
            }
            return from.slice(from.position(), (int) Math.min(before, from.remaining()));
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int written = base.write(fitting(from));
            from.position(from.position() + written);
            return written;
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            int written = base.write(fitting(from), position);
            from.position(from.position() + written);
            return written;
        }

        @Override
        public void force(boolean metadata) throws IOException {
            check(Refused.FORCE, path);
            if (concerns(path)) {
                beforeForce.run();
            }
            base.force(metadata);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            open.decrementAndGet();
            base.close();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            longest.accumulateAndGet(into.remaining(), Math::max);
            return base.read(into);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            longest.accumulateAndGet(into.remaining(), Math::max);
            return base.read(into, position);
        }

        @Override
        public long position() throws IOException {
            return base.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            base.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return base.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            base.truncate(size);
            return this;
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return base.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return base.tryLock(position, size, shared);
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }
    }
}
