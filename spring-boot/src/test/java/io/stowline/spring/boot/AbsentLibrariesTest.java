package io.stowline.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The starter with each optional library of its module absent in turn: the class path lacks its jar, as that of an application does. */
class AbsentLibrariesTest {

    /** Libraries that cannot be loaded without another one, which no application has without it. */
    private static final Map<String, List<String>> NEEDED_BY = Map.of(
            "spring-messaging", List.of("spring-integration-core"),
            "spring-web", List.of("spring-webmvc"));

    /** The application: all auto-configurations of the library, as Spring Boot selects and orders them, and two accounts. */
    @Configuration(proxyBeanMethods = false)
    @Import(OurAutoConfigurations.class)
    static class Application {

        static String[] clients() {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .bannerMode(Banner.Mode.OFF)
                    .properties(
                            "stowline.connection-string=UseDevelopmentStorage=true",
                            "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true",
                            "management.endpoints.web.exposure.include=*")
                    .run()) {
                return context.getBeanNamesForType(Stowline.class);
            }
        }
    }

    static final class OurAutoConfigurations extends AutoConfigurationImportSelector {

        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
            return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata metadata, AnnotationAttributes attributes) {
            return super.getCandidateConfigurations(metadata, attributes).stream()
                    .filter(name -> name.startsWith("io.stowline."))
                    .toList();
        }
    }

    /** An application like it with a web application of Spring MVC, whose handler fails. */
    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    @Import(OurAutoConfigurations.class)
    static class WebApplication {

        @RestController
        static class Failing {

            @GetMapping("/missing")
            void missing() {
                throw new ProblemException(ProblemType.NOT_FOUND, "There is no race of this name.");
            }
        }

        static String[] response() throws Exception {
            try (AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext()) {
                context.setServletContext(new MockServletContext());
                context.register(WebApplication.class, Failing.class);
                context.refresh();
                MockHttpServletResponse response = MockMvcBuilders.webAppContextSetup(context)
                        .build()
                        .perform(MockMvcRequestBuilders.get("/missing"))
                        .andReturn()
                        .getResponse();
                return new String[] {String.valueOf(response.getStatus()), response.getContentType()};
            }
        }
    }

    /** Returns the optional dependencies of the module's POM. */
    static List<String> optional() throws Exception {
        NodeList dependencies = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(module().resolve("pom.xml").toFile())
                .getElementsByTagName("dependency");
        List<String> optional = new ArrayList<>();
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            if (dependency.getElementsByTagName("optional").getLength() > 0) {
                optional.add(dependency
                        .getElementsByTagName("artifactId")
                        .item(0)
                        .getTextContent()
                        .strip());
            }
        }
        return optional;
    }

    private static Path module() {
        Path folder = Path.of("").toAbsolutePath();
        return Files.exists(folder.resolve("CHANGELOG.md")) ? folder.resolve("spring-boot") : folder;
    }

    private static boolean isOf(Path entry, String artifact) {
        String module = artifact.replaceFirst("^stowline-", "");
        return entry.getFileName().toString().matches(artifact + "-\\d.*\\.jar")
                || artifact.startsWith("stowline-") && entry.toString().contains("/" + module + "/target/");
    }

    /** Returns the optional dependencies that a web application of Spring MVC with JSON can be without. */
    static List<String> optionalForWeb() throws Exception {
        List<String> optional = new ArrayList<>(optional());
        optional.removeAll(List.of(
                "spring-web", "spring-webmvc", "jakarta.servlet-api", "jackson-databind", "micrometer-observation"));
        return optional;
    }

    private static List<String> clientsWithout(Set<String> artifacts) throws Exception {
        return without(artifacts, Application.class, "clients");
    }

    private static List<String> without(Set<String> artifacts, Class<?> application, String method) throws Exception {
        List<URL> present = new ArrayList<>();
        Set<String> removed = new HashSet<>();
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)) {
            Path path = Path.of(entry);
            List<String> matching =
                    artifacts.stream().filter(artifact -> isOf(path, artifact)).toList();
            if (matching.isEmpty()) {
                present.add(url(path));
            }
            removed.addAll(matching);
        }
        assertThat(removed).as("libraries of the class path").containsAll(artifacts);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(present.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Method run = loader.loadClass(application.getName()).getDeclaredMethod(method);
            run.setAccessible(true);
            return List.of((String[]) run.invoke(null));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    @ParameterizedTest
    @MethodSource("optional")
    @DisplayName("each optional library absent in turn: the clients of both accounts start")
    void startsWithout(String artifact) throws Exception {
        Set<String> absent = new HashSet<>(NEEDED_BY.getOrDefault(artifact, List.of()));
        absent.add(artifact);

        assertThat(clientsWithout(absent)).containsExactlyInAnyOrder("stowline", "archiveStowline");
    }

    @Test
    @DisplayName("the clients of both accounts start with all optional libraries")
    void startsWithAll() throws Exception {
        assertThat(clientsWithout(Set.of())).containsExactlyInAnyOrder("stowline", "archiveStowline");
    }

    @Test
    @DisplayName("the clients of both accounts start without any optional library")
    void startsWithNone() throws Exception {
        assertThat(clientsWithout(Set.copyOf(optional()))).containsExactlyInAnyOrder("stowline", "archiveStowline");
    }

    @ParameterizedTest
    @MethodSource("optionalForWeb")
    @DisplayName("each optional library absent in turn: a failure of a handler is a problem detail")
    void reportsProblemsWithout(String artifact) throws Exception {
        assertThat(without(Set.of(artifact), WebApplication.class, "response"))
                .containsExactly("404", "application/problem+json");
    }

    @Test
    @DisplayName("a failure of a handler is a problem detail without any optional library")
    void reportsProblemsWithNone() throws Exception {
        assertThat(without(Set.copyOf(optionalForWeb()), WebApplication.class, "response"))
                .containsExactly("404", "application/problem+json");
    }
}
