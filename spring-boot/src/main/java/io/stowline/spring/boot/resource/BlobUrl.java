package io.stowline.spring.boot.resource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import org.jspecify.annotations.Nullable;

/** A handler of the URL of a resource, which reads that resource with its account's credential. Immutable and thread-safe. */
final class BlobUrl extends URLStreamHandler {

    private final BlobResource resource;

    private BlobUrl(BlobResource resource) {
        this.resource = resource;
    }

    static URL of(BlobResource resource) throws MalformedURLException {
        return new URL(null, resource.getURI().toString(), new BlobUrl(resource));
    }

    @Override
    protected URLConnection openConnection(URL url) {
        return new Connection(url, resource);
    }

    /** A container is no host, so that no name service is queried when URLs are compared. */
    @Override
    protected synchronized @Nullable InetAddress getHostAddress(URL url) {
        return null;
    }

    private static final class Connection extends URLConnection {

        private final BlobResource resource;

        Connection(URL url, BlobResource resource) {
            super(url);
            this.resource = resource;
        }

        @Override
        public void connect() throws IOException {
            resource.info();
            connected = true;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return resource.getInputStream();
        }
    }
}
