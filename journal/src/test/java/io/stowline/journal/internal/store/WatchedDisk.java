package io.stowline.journal.internal.store;

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
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
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
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The disk, and in which order names in it were made, moved, deleted and forced. */
final class WatchedDisk extends FileSystemProvider {

    /** Lines like {@code force journal}. */
    final List<String> events = Collections.synchronizedList(new ArrayList<>());

    private final FileSystem disk = FileSystems.getDefault();
    private final FileSystem watched = new Watched();

    private interface Wrapped {
        Path base();
    }

    /** Returns the same path, whose uses are watched. */
    Path watch(Path base) {
        return (Path) Proxy.newProxyInstance(
                WatchedDisk.class.getClassLoader(),
                new Class<?>[] {Path.class, Wrapped.class},
                (self, method, given) -> {
                    if (method.getName().equals("base")) {
                        return base;
                    }
                    if (method.getName().equals("getFileSystem")) {
                        return watched;
                    }
                    Object[] arguments = given == null ? new Object[0] : given.clone();
                    for (int i = 0; i < arguments.length; i++) {
                        arguments[i] = arguments[i] instanceof Wrapped other ? other.base() : arguments[i];
                    }
                    try {
                        Object result = method.invoke(base, arguments);
                        return result instanceof Path path ? watch(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Path base(Path path) {
        return path instanceof Wrapped wrapped ? wrapped.base() : path;
    }

    private void tell(String what, Path path) {
        events.add(what + " " + path.getFileName());
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path base = base(path);
        if (Files.isDirectory(base)) {
            return new Folder(FileChannel.open(base, options, attributes), base);
        }
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            tell("create", base);
        }
        return FileChannel.open(base, options, attributes);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return Files.newByteChannel(base(path), options, attributes);
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // closed with what is returned
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
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
                        return watch(each.next());
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
        tell("create", path);
        Files.createDirectory(base(path), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        tell("delete", path);
        Files.delete(base(path));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        tell("move", to);
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
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(base(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        disk.provider().checkAccess(base(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(base(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(base(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        return Files.readAttributes(base(path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(base(path), name, value, options);
    }

    @Override
    public String getScheme() {
        return "watched";
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

    private final class Watched extends FileSystem {

        @Override
        public FileSystemProvider provider() {
            return WatchedDisk.this;
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
            return watch(disk.getPath(first, more));
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

    /** The channel of a folder, which can be forced and nothing else. */
    private final class Folder extends FileChannel {

        private final FileChannel base;
        private final Path folder;

        Folder(FileChannel base, Path folder) {
            this.base = base;
            this.folder = folder;
        }

        @Override
        public void force(boolean metadata) throws IOException {
            base.force(metadata);
            tell("force", folder);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            base.close();
        }

        @Override
        public int read(ByteBuffer into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel truncate(long size) {
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
        public int read(ByteBuffer into, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
