package io.stowline.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A container as a tree, and what is requested of it. */
@Timeout(60)
class BlobTreeTest {

    private static final List<String> NAMES =
            List.of("2026/01/a", "2026/01/b", "2026/raw/x", "2026/raw/deep/y", "2026/z", "other");

    private final StubBlobs blobs = new StubBlobs(BlobTreeTest::listed);
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static String parameter(StubRequest requested, String name) {
        Matcher found = Pattern.compile("(?:^|&)" + name + "=([^&]*)").matcher(requested.query());
        return found.find() ? URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) : "";
    }

    /** One level, as the service lists it. */
    private static BlobStubResponse listed(StubRequest requested) {
        String prefix = parameter(requested, "prefix");
        StringBuilder items = new StringBuilder();
        TreeSet<String> folders = new TreeSet<>();
        for (String name : NAMES) {
            int end = name.startsWith(prefix) ? name.indexOf('/', prefix.length()) : 0;
            if (end > 0) {
                folders.add(name.substring(0, end + 1));
            } else if (end < 0) {
                items.append("<Blob><Name>")
                        .append(name)
                        .append(
                                "</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00"
                                        + " GMT</Last-Modified><Etag>0x1</Etag>"
                                        + "<Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>");
            }
        }
        folders.forEach(
                folder -> items.append("<BlobPrefix><Name>").append(folder).append("</Name></BlobPrefix>"));
        String body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>" + items
                + "</Blobs><NextMarker/></EnumerationResults>";
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(body.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> listings() {
        return blobs.requested().stream()
                .map(requested -> parameter(requested, "prefix"))
                .toList();
    }

    @Test
    @DisplayName("a tree has levels, each listed when it is read")
    void levels() {
        BlobTree year = photos.tree("2026/");
        assertThat(blobs.requested()).isEmpty();
        try (Stream<BlobTree> folders = year.folders()) {
            assertThat(folders.map(BlobTree::name)).containsExactly("01", "raw");
        }
        try (Stream<BlobInfo> here = year.blobs()) {
            assertThat(here.map(BlobInfo::name)).containsExactly("2026/z");
        }
        try (Stream<BlobTree.Entry> entries = year.folder("raw").folder("deep/").entries()) {
            assertThat(entries.map(BlobTree.Entry::name)).containsExactly("2026/raw/deep/y");
        }
        assertThat(listings()).containsExactly("2026/", "2026/", "2026/raw/deep/");
        assertThat(year.folder("raw").path()).isEqualTo("2026/raw/");
        assertThat(photos.tree("").name()).isEmpty();
        assertThat(year).hasToString("BlobTree[photos/2026/]");
    }

    @Test
    @DisplayName("a walk lists a folder when it comes to it")
    void walks() {
        try (Stream<BlobTree.Entry> first = photos.tree("").walk()) {
            assertThat(first.limit(2).map(BlobTree.Entry::name)).containsExactly("2026/", "2026/01/");
        }
        assertThat(listings()).doesNotContain("2026/raw/", "2026/raw/deep/").contains("", "2026/");
    }

    @Test
    @DisplayName("a walk has a folder that the reader leaves alone, and nothing of what is in it")
    void leavesFoldersAlone() {
        List<String> found = photos.reactive()
                .walk("2026/", "/", folder -> !folder.name().equals("2026/raw/"))
                .map(BlobTree.Entry::name)
                .collectList()
                .block();
        assertThat(found).containsExactly("2026/01/", "2026/01/a", "2026/01/b", "2026/raw/", "2026/z");
        assertThat(listings()).containsExactly("2026/", "2026/01/");
    }

    @Test
    void refusesEmptyNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> photos.tree("", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> photos.tree("").folder(""));
    }

    @Test
    @DisplayName("a fatal error of the predicate ends a walk")
    void fatalPredicate() {
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.walk("", "/", folder -> {
                            throw new NoClassDefFoundError("of " + folder);
                        })
                        .toList())
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    @DisplayName("a failed assertion of the predicate reaches the caller")
    void assertingPredicate() {
        AssertionError failed = new AssertionError("of the predicate");
        assertThatThrownBy(() -> photos.walk("", "/", folder -> {
                            throw failed;
                        })
                        .toList())
                .isSameAs(failed);
    }
}
