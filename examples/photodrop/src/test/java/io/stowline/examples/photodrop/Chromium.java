package io.stowline.examples.photodrop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium of this machine, driven by WebDriver. */
final class Chromium implements AutoCloseable {

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Starts it with the programs of the search path.
     *
     * @throws IllegalStateException if there is none, naming what to install
     */
    static Chromium start() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium", "chromium-browser", "google-chrome"));
        // Without a sandbox, which root cannot have; /dev/shm is small in containers.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver"))
                .usingAnyFreePort()
                .build();
        return new Chromium(new ChromeDriver(service, options));
    }

    private static File program(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(File.pathSeparator))
                        .map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the profile \"browser\" needs one of "
                        + List.of(names) + " in the search path; on Debian and Ubuntu:"
                        + " apt-get install chromium chromium-driver"));
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Makes the window of a phone or a desktop. */
    void resize(int width, int height, boolean mobile) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", mobile));
    }

    /** Stores a picture of the whole page. */
    void picture(Path file) throws IOException {
        Map<String, Object> result = driver.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode((String) result.get("data")));
    }

    /** Returns what the page has written to its console since the last call: errors of the network and of its policy, too. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
