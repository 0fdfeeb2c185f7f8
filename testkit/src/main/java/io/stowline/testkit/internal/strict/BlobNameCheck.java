package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.ResourceNames;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Set;

/** The names of containers and blobs to be created. */
final class BlobNameCheck implements StrictCheck {

    private static final int MAX = 1024;
    private static final int MAX_SEGMENTS = 254;
    private static final Set<String> SYSTEM_CONTAINERS = Set.of("$root", "$web", "$logs", "$blobchangefeed");
    private static final Set<Integer> SUPPORTED_CONTROLS = Set.of(0x81, 0x8D, 0x8F, 0x90, 0x9D);
    private static final Set<Integer> LISTED_PLANES = Set.of(1, 2, 3, 5, 6, 7, 9, 0xA, 0xB, 0xD, 0xE, 0xF);

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        ResourceAddress address = ResourceAddress.of(request);
        if (request.method().equals("PUT") && !request.query().containsKey("comp")) {
            if (!address.inner().isEmpty()) {
                checkBlob(address.inner(), rules);
            } else if (request.query().containsKey("restype") && !SYSTEM_CONTAINERS.contains(address.name())) {
                ResourceNames.check(address.name(), StrictRule.CONTAINER_NAME, StrictRule.CONTAINER_NAME_LENGTH, rules);
            }
        }
    }

    private static void checkBlob(String name, Rulebook rules) {
        if (name.length() > MAX) {
            rules.refuse(
                    StrictRule.BLOB_NAME_LENGTH,
                    "The specified resource name length is not within the permissible limits: " + name.length());
        }
        if (name.chars().filter(c -> c == '/').count() >= MAX_SEGMENTS) {
            rules.refuse(StrictRule.BLOB_NAME_SEGMENTS, "The requested URI has too many path segments.");
        }
        if (!name.codePoints().allMatch(BlobNameCheck::isSupported)) {
            rules.refuse(
                    StrictRule.BLOB_NAME_CHARACTERS,
                    "The requested URI does not represent any resource on the server.");
        }
    }

    private static boolean isSupported(int c) {
        if (c >= 0x10000) {
            return (c & 0xFFFE) != 0xFFFE || !LISTED_PLANES.contains(c >> 16);
        }
        boolean control = c >= 0x80 && c <= 0x9F && !SUPPORTED_CONTROLS.contains(c);
        return !control && !(c >= 0xFDD1 && c <= 0xFDEF) && c < 0xFFF0;
    }
}
