package io.stowline.transport.internal.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** The resources that a write may have changed, for the caches of reads. Called only if there is one. */
@FunctionalInterface
public interface ChangedResources {

    /**
     * Invalidates the addresses that the write may have changed.
     *
     * @param kept is notified of it
     */
    void invalidate(AddressCache kept);

    /** A cache of reads by the addresses of resources. */
    interface AddressCache {

        /**
         * Reports that one resource may have changed.
         *
         * @param address its address, without a query
         */
        void changed(String address);

        /**
         * Reports that all resources below a prefix may have changed.
         *
         * @param beginning the prefix of their addresses
         */
        void allChanged(String beginning);
    }

    /**
     * Returns the resources that a request of an SDK client may change: the one at its address, or all in the container
     * there.
     */
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
     * Returns the address of something that SDK clients read and write, in the one form that all requests to it have in
     * common: they do not all encode the same characters.
     *
     * @param url its URL, without a query
     * @return the URL decoded
     */
    static String address(String url) {
        return URLDecoder.decode(url.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
