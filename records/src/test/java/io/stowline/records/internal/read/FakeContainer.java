package io.stowline.records.internal.read;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.blob.DownloadSettings;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A container in memory whose listings take time: before each page of few names other things may happen. Thread-safe. */
public final class FakeContainer {

    private static final int PAGE = 3;

    private final NavigableMap<String, Content> blobs = new TreeMap<>();
    private Runnable beforePage = () -> {};
    private Runnable beforeOpen = () -> {};
    private int opened;
    private int listed;

    /** The bytes of a blob. */
    private record Content(byte[] bytes, BlobType type) {}

    /** Runs something before each page of a listing. */
    public void beforePage(Runnable happens) {
        this.beforePage = happens;
    }

    /** Runs something before a blob is opened. */
    public void beforeOpen(Runnable happens) {
        this.beforeOpen = happens;
    }

    public synchronized void put(String name, byte[] bytes, BlobType type) {
        blobs.put(name, new Content(bytes, type));
    }

    public synchronized void append(String name, byte[] bytes) {
        byte[] present = blobs.containsKey(name) ? blobs.get(name).bytes : new byte[0];
        byte[] longer = new byte[present.length + bytes.length];
        System.arraycopy(present, 0, longer, 0, present.length);
        System.arraycopy(bytes, 0, longer, present.length, bytes.length);
        blobs.put(name, new Content(longer, BlobType.APPEND_BLOB));
    }

    public synchronized void remove(String name) {
        blobs.remove(name);
    }

    public synchronized List<String> names() {
        return List.copyOf(blobs.keySet());
    }

    public synchronized int opened() {
        return opened;
    }

    public synchronized int listed() {
        return listed;
    }

    public BlobContainer container() {
        return (BlobContainer) Proxy.newProxyInstance(
                BlobContainer.class.getClassLoader(), new Class<?>[] {BlobContainer.class}, (proxy, method, args) -> {
                    String call = method.getName() + args.length;
                    return switch (call) {
                        case "entries2" -> entries((String) args[0]);
                        case "stream2" -> stream((Collection<?>) args[0]);
                        case "openDownload2" -> open((String) args[0], settings(args[1]));
                        default -> throw new UnsupportedOperationException(method.toString());
                    };
                });
    }

    @SuppressWarnings("unchecked")
    private static DownloadSettings settings(Object change) {
        return ((UnaryOperator<DownloadSettings.Builder>) change)
                .apply(DownloadSettings.builder())
                .build();
    }

    private synchronized Stream<BlobTree.Entry> entries(String prefix) {
        Set<String> folders = new TreeSet<>();
        for (String name : blobs.keySet()) {
            int end = name.startsWith(prefix) ? name.indexOf('/', prefix.length()) : -1;
            if (end > 0) {
                folders.add(name.substring(0, end + 1));
            }
        }
        return folders.stream().map(folder -> new BlobTree.Entry(folder, null));
    }

    /** The prefixes one after the other, each page at its own moment. */
    private Stream<BlobInfo> stream(Collection<?> prefixes) {
        List<BlobInfo> all = new ArrayList<>();
        for (Object prefix : prefixes) {
            String after = "";
            List<BlobInfo> page;
            do {
                beforePage.run();
                page = page(prefix.toString(), after);
                all.addAll(page);
                after = page.isEmpty() ? "" : page.get(page.size() - 1).name();
            } while (page.size() == PAGE);
        }
        return all.stream();
    }

    private synchronized List<BlobInfo> page(String prefix, String after) {
        listed++;
        return blobs.tailMap(after.isEmpty() ? prefix : after, after.isEmpty()).entrySet().stream()
                .filter(blob -> blob.getKey().startsWith(prefix))
                .limit(PAGE)
                .map(FakeContainer::info)
                .toList();
    }

    private static BlobInfo info(Map.Entry<String, Content> blob) {
        Content content = blob.getValue();
        return new BlobInfo(
                blob.getKey(),
                content.bytes.length,
                "\"1\"",
                Instant.EPOCH,
                content.type,
                BlobHeaders.none(),
                null,
                Map.of());
    }

    private BlobDownload open(String name, DownloadSettings settings) {
        beforeOpen.run();
        synchronized (this) {
            Content content = blobs.get(name);
            if (content == null) {
                throw new NotFoundException(missing(name), null);
            }
            opened++;
            int from = (int) Math.min(settings.from(), content.bytes.length);
            InputStream bytes = new ByteArrayInputStream(content.bytes, from, content.bytes.length - from);
            return new FakeDownload(info(Map.entry(name, content)), from, content.bytes.length - from, bytes);
        }
    }

    private static FailureDetails missing(String name) {
        return new FailureDetails(
                "openDownload", name, 404, "BlobNotFound", "missing", 1, 0, Duration.ZERO, null, "id", null, "final");
    }

    private record FakeDownload(BlobInfo info, long offset, long length, InputStream stream) implements BlobDownload {

        @Override
        public void close() {}
    }
}
