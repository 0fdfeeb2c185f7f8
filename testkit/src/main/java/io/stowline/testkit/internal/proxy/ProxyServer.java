package io.stowline.testkit.internal.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a proxy: one for each door, one for each connection. */
public final class ProxyServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int PATIENCE_SECONDS = 10;

    private final List<ProxyListener> doors;
    private final ProxySettings settings;
    private final Set<ConnectionHandler> servings = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final ExecutorService threads;
    private volatile boolean closed;

    /**
     * Starts to serve.
     *
     * @param doors where clients come in
     * @param settings what the connections share
     */
    public ProxyServer(List<ProxyListener> doors, ProxySettings settings) {
        this.doors = List.copyOf(doors);
        this.settings = settings;
        AtomicInteger named = new AtomicInteger();
        String prefix = "faultproxy-" + doors.get(0).port() + "-";
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, prefix + named.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        doors.forEach(door -> threads.execute(() -> acceptAll(door)));
    }

    private void acceptAll(ProxyListener door) {
        try {
            while (!closed) {
                Socket socket = door.accept();
                start(door, socket);
            }
        } catch (IOException e) {
            if (!closed) {
                LOG.error("port {} accepts no more connections", door.port(), e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(ProxyListener door, Socket socket) throws IOException {
        int number = connections.incrementAndGet();
        try {
            threads.execute(() -> serve(number, door, socket));
        } catch (RejectedExecutionException e) {
            socket.close();
            throw new IOException("the proxy was closed", e);
        }
    }

    private void serve(int number, ProxyListener door, Socket socket) {
        try (ClientConnection line = new ClientConnection(socket, settings.maxBody())) {
            ConnectionHandler serving = new ConnectionHandler(number, door, line, settings);
            servings.add(serving);
            door.enter(line);
            try {
                if (!closed) {
                    serving.run();
                }
            } finally {
                door.leave(line);
                servings.remove(serving);
            }
        } catch (IOException e) {
            LOG.debug("connection {} ended", number, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Resets all connections and ends all threads. Has no effect the second time. */
    @Override
    public void close() throws IOException {
        closed = true;
        for (ProxyListener door : doors) {
            door.close();
        }
        threads.shutdownNow();
        servings.forEach(ConnectionHandler::abort);
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("a thread of the proxy did not end within {} s", PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
