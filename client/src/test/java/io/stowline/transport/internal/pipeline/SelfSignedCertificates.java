package io.stowline.transport.internal.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A key and a certificate for the name {@code localhost}, made once by the JDK's own tool. */
public final class SelfSignedCertificates {

    private static final String PASSWORD = "of-no-importance";

    private static @Nullable SelfSignedCertificates made;

    private final Path file;

    private SelfSignedCertificates(Path file) {
        this.file = file;
    }

    /** Returns the certificates, shared by all tests of a JVM: the tool takes seconds. */
    public static synchronized SelfSignedCertificates get() throws IOException, InterruptedException {
        if (made == null) {
            Path folder = Files.createTempDirectory("self-signed");
            folder.toFile().deleteOnExit();
            made = in(folder);
        }
        return made;
    }

    private static SelfSignedCertificates in(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("self-signed.p12");
        file.toFile().deleteOnExit();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-validity",
                "2",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString());
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        return new SelfSignedCertificates(file);
    }

    public String file() {
        return file.toString();
    }

    public String password() {
        return PASSWORD;
    }

    public X509Certificate certificate() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream bytes = Files.newInputStream(file)) {
            store.load(bytes, PASSWORD.toCharArray());
        }
        return (X509Certificate) store.getCertificate("server");
    }
}
