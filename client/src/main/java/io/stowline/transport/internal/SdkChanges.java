package io.stowline.transport.internal;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** What the writing requests of SDK clients change, as far as their addresses tell. */
public final class SdkChanges {

    private static final String OF_A_CONTAINER = "restype=container";

    private SdkChanges() {}

    /** What stands at the address, or all that is in the container there. */
    static Changes of(String url) {
        int query = url.indexOf('?');
        String address = address(query < 0 ? url : url.substring(0, query));
        boolean container = query >= 0 && url.indexOf(OF_A_CONTAINER, query) >= 0;
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
    public static String address(String url) {
        return URLDecoder.decode(url.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
