package io.stowline.spring.boot.resource;

import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.util.FileSystemUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** An instance of a small application of Spring MVC that serves blobs, by a controller and as static resources. */
final class WebInstance implements AutoCloseable {

    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private final Path folder;
    private final Tomcat tomcat = new Tomcat();
    private final AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Web implements WebMvcConfigurer {
        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/static/**")
                    .addResourceLocations("azure-blob://photos/")
                    .setEtagGenerator(BlobResponse::etagOf);
            registry.addResourceHandler("/further/**").addResourceLocations("photos-blob://photos/");
        }
    }

    @RestController
    static class PhotoController {
        private final BlobResource photos;

        PhotoController(BlobResources resources) {
            photos = resources.resource("azure-blob://photos/");
        }

        @GetMapping("/photos/{name}")
        ResponseEntity<Resource> photo(@PathVariable String name, RequestEntity<Void> request) throws IOException {
            return BlobResponse.of(photos.createRelative(name), request);
        }

        @GetMapping("/plain/{name}")
        Resource plain(@PathVariable String name) throws IOException {
            return photos.createRelative(name);
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
        void changed(BlobChangedException e) {}
    }

    WebInstance(TwoAccounts accounts) throws IOException, LifecycleException {
        TOMCAT.setLevel(Level.SEVERE);
        folder = Files.createTempDirectory("stowline-web");
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new OriginTrackedMapPropertySource("test", accounts.properties()));
        context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("accountsInMemory", accounts));
        context.register(
                StowlineAutoConfiguration.class,
                StowlineResourceAutoConfiguration.class,
                Web.class,
                PhotoController.class);
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context root = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(root, "dispatcher", new DispatcherServlet(context)).setLoadOnStartup(1);
        root.addServletMappingDecoded("/", "dispatcher");
        tomcat.getConnector();
        tomcat.start();
    }

    URI at(String path) {
        return URI.create("http://localhost:" + tomcat.getConnector().getLocalPort() + path);
    }

    @Override
    public void close() throws IOException, LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        context.close();
        FileSystemUtils.deleteRecursively(folder);
    }
}
