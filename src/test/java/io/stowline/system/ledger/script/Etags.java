package io.stowline.system.ledger.script;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** ETags, which clients write in more than one form. */
public final class Etags {

    private Etags() {}

    public static boolean same(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(String etag) {
        String bare = etag.startsWith("W/") ? etag.substring(2) : etag;
        return URLDecoder.decode(bare.replace("\"", ""), StandardCharsets.UTF_8);
    }
}
