package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.ProtocolException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameListingTest {

    private static final String HEAD =
            "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ServiceEndpoint=\"x\"><Prefix>";

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final NameListing<String> containers = of("");

    private NameListing<String> of(String prefix) {
        return NameListing.inXml(
                bench.pipeline(),
                RetrySettings.defaults(),
                URI.create(Bench.ROOT),
                "listContainers",
                "Containers",
                prefix);
    }

    private static String page(String marker, String... names) {
        StringBuilder xml = new StringBuilder(HEAD + "</Prefix><Containers>");
        for (String name : names) {
            xml.append(
                    "<Container><Name>" + name
                            + "</Name><Properties><Etag>\"1\"</Etag></Properties><Metadata><Name>other</Name></Metadata></Container>");
        }
        return xml + "</Containers><NextMarker>" + marker + "</NextMarker></EnumerationResults>";
    }

    @Test
    @DisplayName("the names are read over all pages, an empty one included, and a marker is sent back as it came")
    void allPages() {
        wire.responds(200, page("/acct/b c+d", "$logs", "a-1"))
                .responds(200, page("next"))
                .responds(200, page("", "z"));

        assertThat(bench.start(containers.names()).value()).containsExactly("$logs", "a-1", "z");
        assertThat(wire.sent())
                .extracting(FakeWire.Sent::url)
                .containsExactly(
                        Bench.ROOT + "/?comp=list&timeout=30",
                        Bench.ROOT + "/?comp=list&marker=%2Facct%2Fb%20c%2Bd&timeout=30",
                        Bench.ROOT + "/?comp=list&marker=next&timeout=30");
    }

    @Test
    @DisplayName("A2: names of several prefixes come in their order, each once")
    void severalPrefixes() {
        wire.responds(200, page("m", "00 1a"))
                .responds(200, page("", "00 1b"))
                .responds(200, page("", "002-a", "002-b"))
                .responds(200, page(""));
        var names = bench.start(NameListing.names(List.of("002-", "00 1", "002-a", "003-"), this::of));

        assertThat(names.value()).containsExactly("00 1a", "00 1b", "002-a", "002-b");
        assertThat(wire.sent())
                .extracting(FakeWire.Sent::url)
                .containsExactly(
                        Bench.ROOT + "/?comp=list&prefix=00%201&timeout=30",
                        Bench.ROOT + "/?comp=list&prefix=00%201&marker=m&timeout=30",
                        Bench.ROOT + "/?comp=list&prefix=002-&timeout=30",
                        Bench.ROOT + "/?comp=list&prefix=003-&timeout=30");
        assertThat(bench.start(NameListing.names(List.of(), this::of)).value()).isEmpty();
    }

    @Test
    @DisplayName("a name that does not begin with the prefix is an error")
    void otherPrefix() {
        wire.responds(200, page("", "003-a"));

        assertThat(bench.start(of("002-").names()).error())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("does not begin with the prefix");
    }

    @Test
    @DisplayName("an empty account has an empty list")
    void emptyAccount() {
        wire.responds(200, HEAD + "</Prefix><Containers /><NextMarker /></EnumerationResults>");

        assertThat(bench.start(containers.names()).value()).isEmpty();
    }

    @Test
    @DisplayName("a list that goes in circles ends at once")
    void circle() {
        for (int i = 0; i < 10; i++) {
            wire.responds(200, page("m" + i % 2, "a"));
        }

        assertThat(bench.start(containers.names()).error())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("listContainers", "would never end");
        assertThat(wire.sent()).hasSizeLessThan(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>welcome</html>",
                "<EnumerationResults><Blobs/></EnumerationResults>",
                "<EnumerationResults><Containers><Container><Name>a</Name>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><EnumerationResults><Containers><Container>"
                        + "<Name>&b;</Name></Container></Containers></EnumerationResults>"
            })
    @DisplayName("a page that is cut, or no list, is read again")
    void unreadablePage(String body) {
        wire.responds(200, body).responds(200, page("", "a"));
        var names = bench.start(containers.names());
        bench.pass(Duration.ofSeconds(2));

        assertThat(names.value()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64})
    @DisplayName("a name that no service allows is no name")
    void impossibleName(int length) {
        wire.responds(200, page("", "a", "b".repeat(length)));

        assertThat(bench.start(containers.names()).error())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("a name of " + length + " characters");
    }
}
