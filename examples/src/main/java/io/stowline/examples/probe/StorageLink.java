package io.stowline.examples.probe;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The way to an account, by blobs of a container with a unique name, which is deleted at the end. Thread-safe. */
final class StorageLink implements ProbedLink, AutoCloseable {

    /** Below the block size, so that an upload is one request. */
    static final int MAX_BYTES = 4 << 20;

    private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(5).toMillis();
    private static final String SMALL = "small";

    private final BlobContainer container;
    private final InetSocketAddress endpoint;
    private final byte[] content = new byte[MAX_BYTES];
    private final ExecutorService threads = Executors.newCachedThreadPool(StorageLink::thread);

    private StorageLink(BlobContainer container) {
        this.container = container;
        URI address = URI.create(container.unwrap().getBlobContainerUrl());
        int port =
                address.getPort() >= 0 ? address.getPort() : address.getScheme().equals("https") ? 443 : 80;
        // Resolved here, so that no measurement has the time of the name's resolution.
        this.endpoint = new InetSocketAddress(address.getHost(), port);
        new Random(1).nextBytes(content); // a line that compresses gains nothing
    }

    static StorageLink create(Stowline storage) {
        BlobContainer container = storage.container("probe" + UUID.randomUUID());
        container.createIfMissing(); // either way it exists, also if a lost response hid its creation
        return new StorageLink(container);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "probe");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void connect() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(endpoint, CONNECT_MILLIS);
        }
    }

    @Override
    public void head() {
        container.info(SMALL);
    }

    @Override
    public Instant write() {
        return container.upload(new byte[1], SMALL, o -> o.overwrite()).lastModified();
    }

    @Override
    public CompletionStage<?> transfer(Direction direction, int connection, int bytes) {
        String name = "content" + connection;
        return CompletableFuture.runAsync(
                () -> {
                    if (direction == Direction.UPLOAD) {
                        byte[] sent = bytes == content.length ? content : Arrays.copyOf(content, bytes);
                        container.upload(sent, name, o -> o.overwrite().parallelism(1));
                    } else {
                        container.downloadTo(name, OutputStream.nullOutputStream(), o -> o.parallelism(1)
                                .rangeSize(MAX_BYTES));
                    }
                },
                threads);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        container.dropIfExists();
    }
}
