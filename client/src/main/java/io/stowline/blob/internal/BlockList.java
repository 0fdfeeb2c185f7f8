package io.stowline.blob.internal;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The blocks that make a blob, in their order, with what is true of all of them together. Used by one thread. */
final class BlockList {

    private final List<String> ids = new ArrayList<>();
    private final MessageDigest md5 = Md5.begin();
    private long size;

    Block added(Block block) {
        ids.add(block.id());
        md5.update(block.content());
        size += block.size();
        return block;
    }

    List<String> ids() {
        return ids;
    }

    long size() {
        return size;
    }

    /** Of the whole content, in Base64; asked once. */
    String md5() {
        return Base64.getEncoder().encodeToString(md5.digest());
    }
}
