package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The demands of a repository of releases on the poms, and the promise of the bill of versions. */
class PublicationTest {

    private static final List<String> REQUIRED =
            List.of("url", "licenses/license/url", "developers/developer/name", "scm/connection", "scm/url");

    private static final Pattern VERSIONED = Pattern.compile(
            "[/\\\\](?:io[/\\\\]netty|com[/\\\\]fasterxml[/\\\\]jackson[/\\\\]core)[/\\\\]([^/\\\\]+)[/\\\\]");

    private final Path root = Project.root();
    private final Document parent = pom(root);
    private final Document bom = pom(root.resolve("bom"));

    /** A module, also one of a profile, is published when it is a Java module, by its descriptor or by its manifest. */
    private List<Path> published() {
        List<Path> modules = texts(parent, "//modules/module").stream()
                .map(root::resolve)
                .filter(module -> Files.exists(module.resolve("src/main/java/module-info.java"))
                        || !text(pom(module), "//Automatic-Module-Name").isEmpty())
                .toList();
        assertThat(modules).isNotEmpty();
        return modules;
    }

    @Test
    void theBomNamesAllPublishedModulesAndNoOthers() {
        String managed = "/project/dependencyManagement/dependencies/dependency/";

        assertThat(texts(bom, managed + "artifactId"))
                .containsExactlyInAnyOrderElementsOf(published().stream()
                        .map(module -> text(pom(module), "/project/artifactId"))
                        .toList());
        assertThat(texts(bom, managed + "groupId")).containsOnly("io.stowline");
        assertThat(texts(bom, managed + "version")).containsOnly("${project.version}");
    }

    /**
     * The management of versions in our poms does not reach an application; its Maven takes the version that is nearest. The class path of
     * this test holds all that the client brings, so the client names each of these jars.
     */
    @Test
    @DisplayName("an application gets Netty and Jackson in the versions of the build")
    void theClientNamesTheVersionsThatAnApplicationGets() {
        String dependency = "/project/dependencies/dependency[not(scope)]/artifactId";
        Document client = pom(root.resolve("client"));

        assertThat(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(VERSIONED::matcher)
                        .filter(Matcher::find)
                        .map(jar -> jar.group(1))
                        .distinct())
                .contains("netty-handler", "jackson-core")
                .isSubsetOf(texts(client, dependency));
    }

    @Test
    void allHaveOneVersion() {
        String version = text(parent, "/project/version");

        assertThat(text(bom, "/project/version")).isEqualTo(version);
        assertThat(published()).allSatisfy(module -> assertThat(text(pom(module), "/project/parent/version"))
                .as("version of " + module)
                .isEqualTo(version));
    }

    @Test
    void modulesWithoutOurParentHaveItsVersion() {
        String version = text(parent, "/project/version");

        assertThat(texts(parent, "/project/modules/module"))
                .map(root::resolve)
                .filteredOn(
                        module -> !text(pom(module), "/project/parent/groupId").equals("io.stowline"))
                .isNotEmpty()
                .allSatisfy(module -> assertThat(
                                texts(pom(module), "/project/version | /project/properties/stowline.version"))
                        .as("versions of " + module)
                        .containsOnly(version));
    }

    @Test
    @DisplayName(
            "modules without a parent deploy by the same release of the plugin, which otherwise waits for them in vain")
    void modulesWithoutAParentDeployByTheSameRelease() {
        String plugin = "//plugin[artifactId='maven-deploy-plugin']/version";

        assertThat(texts(parent, "//modules/module"))
                .map(root::resolve)
                .filteredOn(module -> text(pom(module), "/project/parent").isEmpty())
                .isNotEmpty()
                .allSatisfy(module -> assertThat(text(pom(module), plugin))
                        .as("release of maven-deploy-plugin in " + module)
                        .isEqualTo(text(parent, plugin)));
    }

    @Test
    @DisplayName("published modules compare their API with a release, and no others do")
    void publishedModulesCompareTheirApi() {
        String published = "/project/profiles/profile[id='published']/properties/api.skip";
        Document rules = pom(root.resolve("parent"));

        assertThat(text(rules, published)).isEqualTo("false");
        assertThat(text(rules, "/project/properties/api.skip")).isEqualTo("true");
        assertThat(texts(parent, "//modules/module").stream().map(root::resolve).filter(module -> text(
                                pom(module), "/project/properties/api.skip")
                        .equals("false")))
                .containsExactlyInAnyOrderElementsOf(published().stream()
                        .filter(module -> !Files.exists(module.resolve("src/main/java/module-info.java")))
                        .toList());
    }

    @Test
    void eachSaysWhatItIs() {
        assertThat(Stream.concat(Stream.of(root, root.resolve("bom")), published().stream()))
                .allSatisfy(module -> assertThat(List.of("name", "description"))
                        .as("pom of " + module)
                        .allSatisfy(field -> assertThat(text(pom(module), "/project/" + field))
                                .isNotBlank()));
    }

    /** Modules inherit them; the bill of versions has no parent. */
    @Test
    void licenceDevelopersAndSourceAreNamed() {
        assertThat(REQUIRED).allSatisfy(field -> {
            assertThat(text(parent, "/project/" + field)).isNotBlank();
            assertThat(text(bom, "/project/" + field)).isEqualTo(text(parent, "/project/" + field));
        });
        assertThat(texts(parent, "/project/@*[contains(name(), 'inherit')] | /project/scm/@*"))
                .as("Maven appends the name of a module to inherited addresses")
                .hasSize(4)
                .containsOnly("false");
    }

    private static String text(Document pom, String path) {
        return String.join(" ", texts(pom, path));
    }

    private static List<String> texts(Document pom, String path) {
        try {
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength())
                    .mapToObj(index -> nodes.item(index).getTextContent().strip())
                    .toList();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static Document pom(Path module) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(module.resolve("pom.xml").toFile());
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalStateException("pom of " + module, e);
        }
    }
}
