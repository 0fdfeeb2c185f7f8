package io.stowline.spring.boot.test;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A host that an application is configured for, and that no request of a test may reach. */
final class ConfiguredHosts {

    private static final List<String> REQUESTS = new CopyOnWriteArrayList<>();
    private static final int PORT = listen();

    private ConfiguredHosts() {}

    private static int listen() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                REQUESTS.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                exchange.sendResponseHeaders(500, -1);
                exchange.close();
            });
            server.start();
            return server.getAddress().getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection string whose three endpoints are at this host. */
    static String connectionString(String account) {
        String endpoint = "http://127.0.0.1:" + PORT + "/" + account;
        return "DefaultEndpointsProtocol=http;AccountName=" + account + ";AccountKey=a2V5;BlobEndpoint=" + endpoint
                + ";QueueEndpoint=" + endpoint + ";TableEndpoint=" + endpoint;
    }

    /** The requests that have come, of all tests. */
    static List<String> requests() {
        return REQUESTS;
    }
}
