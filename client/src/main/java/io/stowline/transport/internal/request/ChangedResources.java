package io.stowline.transport.internal.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** What a write may have changed, for the caches that keep what was read. Called only if there is one. */
@FunctionalInterface
public interface ChangedResources {

    /**
     * Tells what may have changed.
     *
     * @param kept is notified of it
     */
    void tell(AddressCache kept);

    /** What was read before, and is kept under the addresses of what was read. */
    interface AddressCache {

        /**
         * One thing may have changed.
         *
         * @param address its address, without a query
         */
        void changed(String address);

        /**
         * Whatever is there may have changed.
         *
         * @param beginning how the addresses begin
         */
        void allChanged(String beginning);
    }

    /** The resources that a request of an SDK client may change: the one at its address, or all in the container there. */
    static ChangedResources of(String url) {
        int query = url.indexOf('?');
        String address = address(query < 0 ? url : url.substring(0, query));
        boolean container = query >= 0 && url.indexOf("restype=container", query) >= 0;
        return kept -> {
            if (container) {
                kept.allChanged(address + "/");
            } else {
                kept.changed(address);
            }
        };
    }

    /**
     * The address of something that SDK clients read and write, in the one form that all requests to it have in common: they do not all
     * encode the same characters.
     *
     * @param url its URL, without a query
     * @return the URL decoded
     */
    static String address(String url) {
        return URLDecoder.decode(url.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
