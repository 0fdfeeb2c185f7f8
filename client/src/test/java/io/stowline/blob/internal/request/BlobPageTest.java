package io.stowline.blob.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.models.LeaseStatusType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.request.ListingRequests.BlobPage;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobPageTest {

    private static byte[] xml(String content) {
        return ("\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ServiceEndpoint=\"http://x\">"
                        + content + "</EnumerationResults>")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static List<ListedElement> elements(String blobs) throws IOException {
        return BlobPage.read(xml("<Blobs>" + blobs + "</Blobs><NextMarker />")).elements();
    }

    private static ListedElement blob(String content) throws IOException {
        return elements("<Blob>" + content + "</Blob>").get(0);
    }

    @Test
    void readsTheFactsOfABlob() throws IOException {
        ListedElement blob = blob("<Name>a/b</Name><Deleted>true</Deleted><Snapshot>s1</Snapshot>"
                + "<VersionId>v1</VersionId><IsCurrentVersion>true</IsCurrentVersion><Properties>"
                + "<Creation-Time>Thu, 29 Feb 2024 11:00:00 GMT</Creation-Time>"
                + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>0x8D1</Etag>"
                + "<Content-Length>7</Content-Length><Content-Encoding>gzip</Content-Encoding>"
                + "<Content-MD5>AAAAAAAAAAAAAAAAAAAAAA==</Content-MD5><BlobType>AppendBlob</BlobType>"
                + "<AccessTier>Archive</AccessTier><CopyStatus>pending</CopyStatus><LeaseStatus>locked</LeaseStatus>"
                + "<CustomerProvidedKeySha256>k</CustomerProvidedKeySha256><Unknown><Inner>x</Inner></Unknown></Properties>"
                + "<Metadata><Owner>me</Owner><empty /></Metadata>"
                + "<Tags><TagSet><Tag><Key>state</Key><Value>new</Value></Tag></TagSet></Tags><OrMetadata />");

        assertThat(blob.name()).isEqualTo("a/b");
        assertThat(blob.isFolder()).isFalse();
        assertThat(blob.isDeleted()).isTrue();
        assertThat(blob.isCurrentVersion()).isTrue();
        assertThat(blob.snapshot()).isEqualTo("s1");
        assertThat(blob.versionId()).isEqualTo("v1");
        assertThat(blob.lastModified()).isEqualTo(Instant.parse("2024-02-29T12:00:00Z"));
        assertThat(blob.etag()).isEqualTo("\"0x8D1\"");
        assertThat(blob.size()).isEqualTo(7);
        assertThat(blob.contentEncoding()).isEqualTo("gzip");
        assertThat(blob.contentMd5()).isEqualTo("AAAAAAAAAAAAAAAAAAAAAA==");
        assertThat(blob.type()).isEqualTo(BlobType.APPEND_BLOB);
        assertThat(blob.tier()).isEqualTo(AccessTier.ARCHIVE);
        assertThat(blob.copyStatus()).isEqualTo(CopyStatusType.PENDING);
        assertThat(blob.leaseStatus()).isEqualTo(LeaseStatusType.LOCKED);
        assertThat(blob.customerKeyHash()).isEqualTo("k");
        assertThat(blob.metadata()).containsEntry("Owner", "me").containsEntry("empty", "");
        assertThat(blob.tags()).containsEntry("state", "new");
    }

    @Test
    @DisplayName("WORLD-2: a name is all that a listing must give")
    void nameAlone() throws IOException {
        BlobInfo info = blob("<Name>a</Name>").info(ReadOrigin.primary());

        assertThat(info.size()).isEqualTo(-1);
        assertThat(info.etag()).isEmpty();
        assertThat(info.lastModified()).isEqualTo(Instant.EPOCH);
        assertThat(info.type()).isNull();
        assertThat(info.metadata()).isEmpty();
    }

    @Test
    @DisplayName("names that XML cannot carry come encoded, all others as they are")
    void names() throws IOException {
        assertThat(elements(
                        "<Blob><Name Encoded=\"true\">a%EF%BF%BE+b%2B</Name></Blob><Blob><Name> a &amp;%20 </Name></Blob>"
                                + "<Blob><Name><![CDATA[c<d]]></Name></Blob><Blob><Name>\uD83D\uDE00</Name></Blob>"))
                .extracting(ListedElement::name)
                .containsExactly("a\uFFFE+b+", " a &%20 ", "c<d", "\uD83D\uDE00");
    }

    @Test
    void readsFoldersAndTheMarker() throws IOException {
        BlobPage page = BlobPage.read(
                xml(
                        "<Prefix>a</Prefix><Blobs><BlobPrefix><Name>a/</Name><Properties>"
                                + "<Creation-Time>x</Creation-Time></Properties></BlobPrefix></Blobs><NextMarker>2!72!MDAw</NextMarker>"));

        assertThat(page.elements()).singleElement().satisfies(folder -> {
            assertThat(folder.isFolder()).isTrue();
            assertThat(folder.name()).isEqualTo("a/");
        });
        assertThat(page.marker()).isEqualTo("2!72!MDAw");
        assertThat(BlobPage.read(xml("<Blobs/><NextMarker/>"))).isEqualTo(new BlobPage(List.of(), null));
    }

    @ParameterizedTest
    @DisplayName("MAP-5: what is no list of blobs is refused")
    @ValueSource(
            strings = {
                "<Blob></Blob>",
                "<Blob><Name/></Blob>",
                "<Blob><Name>a</Name><Tags><TagSet><Tag><Value>x</Value></Tag></TagSet></Tags></Blob>",
                "<Blob><Name Encoded=\"true\">%G1</Name></Blob>",
                "<Blob><Name>a</Name>"
            })
    void refuses(String blobs) {
        assertThatThrownBy(() -> elements(blobs)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @DisplayName("WORLD-2: facts that cannot be read are unknown, and the other blobs of the page are there")
    @ValueSource(
            strings = {
                "<Content-Length>-2</Content-Length>",
                "<Content-Length>many</Content-Length>",
                "<Content-Length>9223372036854775808</Content-Length>",
                "<Last-Modified>2024-02-29</Last-Modified>"
            })
    void unreadableFacts(String fact) throws IOException {
        List<ListedElement> elements = elements(
                "<Blob><Name>a</Name><Properties>" + fact
                        + "</Properties></Blob><Blob><Name>b</Name><Properties><Content-Length>7</Content-Length></Properties></Blob>");

        assertThat(elements).extracting(ListedElement::name).containsExactly("a", "b");
        assertThat(elements).extracting(ListedElement::size).containsExactly(-1L, 7L);
        assertThat(elements.get(0).lastModified()).isEqualTo(Instant.EPOCH);
    }

    @ParameterizedTest
    @DisplayName("MAP-5: a document of another kind is no empty list")
    @ValueSource(
            strings = {
                "<html><body><Blobs></Blobs></body></html>",
                "<Error><Code>x</Code><Blobs/></Error>",
                "<EnumerationResults/>",
                "<EnumerationResults><Inner><Blobs/></Inner></EnumerationResults>",
                "<EnumerationResults><Blobs/></EnumerationResults><Blobs><Blob><Name>a</Name></Blob></Blobs>",
                "<a/><EnumerationResults><Blobs/></EnumerationResults>"
            })
    void refusesOtherDocuments(String document) {
        assertThatThrownBy(() -> BlobPage.read(document.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("a reader of XML loads nothing that a document names")
    void loadsNothing() {
        byte[] hostile = ("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                        + "<EnumerationResults><Blobs><Blob><Name>&e;</Name></Blob></Blobs></EnumerationResults>")
                .getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> BlobPage.read(hostile))
                .isInstanceOfAny(IllegalArgumentException.class, IOException.class);
    }

    private static String element(String name, String value) {
        return value.isEmpty() ? "<" + name + " />" : "<" + name + ">" + value + "</" + name + ">";
    }

    private static String random(Random random, int n) {
        byte[] md5 = new byte[16];
        random.nextBytes(md5);
        String[] types = {"BlockBlob", "PageBlob", "AppendBlob"};
        String[] tiers = {"Hot", "Cool", "Cold", "Archive", "P10", ""};
        String[] texts = {"", "text/plain", "a; b=\"c\"", "\u00e4 &amp; &lt;x&gt;", " x "};
        return "<Blob>" + element("Name", "dir/" + n + texts[random.nextInt(texts.length)])
                + (random.nextBoolean() ? element("VersionId", "v" + n) : "")
                + "<Properties>" + element("Last-Modified", "Thu, 29 Feb 2024 12:00:0" + random.nextInt(10) + " GMT")
                + element("Etag", "0x8D" + Integer.toHexString(random.nextInt()))
                + element("Content-Length", String.valueOf(random.nextLong() >>> 1))
                + element("Content-Type", texts[random.nextInt(texts.length)])
                + element("Content-Language", texts[random.nextInt(texts.length)])
                + element("Content-Disposition", texts[random.nextInt(texts.length)])
                + element("Cache-Control", texts[random.nextInt(texts.length)])
                + element(
                        "Content-MD5",
                        random.nextBoolean() ? Base64.getEncoder().encodeToString(md5) : "")
                + element("BlobType", types[random.nextInt(types.length)])
                + element("AccessTier", tiers[random.nextInt(tiers.length)])
                + (random.nextBoolean() ? element("CopyStatus", "success") : "")
                + "</Properties><Metadata>" + element("owner", "me" + n) + "</Metadata></Blob>";
    }

    @Test
    @Timeout(60)
    @DisplayName("a page means to this library what it means to the Azure SDK")
    void agreesWithTheSdk() throws IOException {
        Random random = new Random(7);
        StringBuilder blobs = new StringBuilder("<Blobs>");
        for (int n = 0; n < 2_000; n++) {
            blobs.append(random(random, n));
        }
        byte[] body = xml(blobs + "</Blobs><NextMarker />");
        List<BlobInfo> own = BlobPage.read(body).elements().stream()
                .map(element -> element.info(ReadOrigin.primary()))
                .toList();

        List<BlobItem> theirs;
        try (StubBlobs stub = new StubBlobs(request ->
                BlobStubResponse.of(200).with("Content-Type", "application/xml").body(body))) {
            theirs = stub.container().unwrap().listBlobs().collectList().block();
        }

        assertThat(own).hasSameSizeAs(theirs);
        for (int n = 0; n < own.size(); n++) {
            BlobInfo info = own.get(n);
            BlobItem item = theirs.get(n);
            assertThat(List.of(
                            info.name(),
                            info.size(),
                            info.etag(),
                            info.lastModified(),
                            String.valueOf(info.type()),
                            String.valueOf(info.tier()),
                            String.valueOf(info.versionId()),
                            String.valueOf(info.copyStatus()),
                            String.valueOf(info.headers().contentType()),
                            String.valueOf(info.headers().contentLanguage()),
                            String.valueOf(info.headers().contentDisposition()),
                            String.valueOf(info.headers().cacheControl()),
                            String.valueOf(info.contentMd5()),
                            info.metadata()))
                    .containsExactly(
                            item.getName(),
                            item.getProperties().getContentLength(),
                            "\"" + item.getProperties().getETag() + "\"",
                            item.getProperties().getLastModified().toInstant(),
                            String.valueOf(item.getProperties().getBlobType()),
                            text(item.getProperties().getAccessTier()),
                            String.valueOf(item.getVersionId()),
                            String.valueOf(item.getProperties().getCopyStatus()),
                            text(item.getProperties().getContentType()),
                            text(item.getProperties().getContentLanguage()),
                            text(item.getProperties().getContentDisposition()),
                            text(item.getProperties().getCacheControl()),
                            text(base64(item.getProperties().getContentMd5())),
                            item.getMetadata());
        }
    }

    private static String text(Object value) {
        return value == null || value.toString().isEmpty() ? "null" : value.toString();
    }

    private static String base64(byte[] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }
}
