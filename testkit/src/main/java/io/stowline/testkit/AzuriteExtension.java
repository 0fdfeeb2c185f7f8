package io.stowline.testkit;

import io.stowline.testkit.internal.junit.EmulatorNeeds;
import io.stowline.testkit.internal.junit.FailureLog;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JUnit extension that gives tests an Azurite.
 *
 * <pre>{@code
 * @AzuriteTest                                        // or @ExtendWith(AzuriteExtension.class): the shared emulator
 * final class SharedTest {
 *     @Test
 *     void works(TestStorage storage) { connect(storage.connectionString()); }
 * }
 *
 * final class FreshTest {
 *     @RegisterExtension
 *     static final AzuriteExtension AZURITE = AzuriteExtension.fresh();
 *
 *     @Test
 *     void works() { connect(AZURITE.storage().connectionString()); }
 * }
 * }</pre>
 *
 * <p>A <em>shared</em> emulator serves all classes of a launcher session, which is a fork of Surefire or a run of an
 * IDE, and is not emptied between tests. A <em>fresh</em> one serves one test class, or one test when the field is not
 * static. Tests, constructors and lifecycle methods may take a {@link TestStorage} or an {@link Azurite} as a
 * parameter.
 *
 * <p>Before each class and each test a dead or poisoned emulator ({@link Azurite#isHealthy()}) is restarted, unless
 * {@link #restartWhenPoisoned(boolean)} switches that off; it then listens on other ports. When a test fails, what the emulator
 * has printed, the requests included, is written to {@code <test>.log} in {@code target/azurite-logs} (below {@code build}
 * where there is no {@code target}, or in the folder that the JUnit configuration parameter {@code stowline.azurite.logs}
 * names), and the file is named in the log and in the test's report.
 *
 * <p>With the environment variable {@value TestStorage#VARIABLE} set no emulator is started: tests get the account that it
 * names, and those that request an {@link Azurite} are skipped.
 *
 * <p>Works with JUnit Jupiter 5.13 and newer, 6 included. Safe for tests that run in parallel.
 */
@SuppressWarnings("exports") // JUnit is optional: a test that uses this class requires it
public final class AzuriteExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                TestInstancePreConstructCallback,
                ParameterResolver,
                ExecutionCondition,
                AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(AzuriteExtension.class);
    private static final String SHARED = "shared";

    private final boolean shared;
    private final boolean restart;
    private final Consumer<Azurite.Builder> settings;
    private final Map<String, String> environment;
    private volatile @Nullable TestStorage storage;

    /** Makes an extension over the shared emulator, for {@code @ExtendWith}. */
    public AzuriteExtension() {
        this(true, true, builder -> {}, System.getenv());
    }

    private AzuriteExtension(
            boolean shared, boolean restart, Consumer<Azurite.Builder> settings, Map<String, String> environment) {
        this.shared = shared;
        this.restart = restart;
        this.settings = settings;
        this.environment = environment;
    }

    /**
     * Returns an extension over the emulator that all classes of the test run share.
     *
     * @return an extension for a static field
     */
    public static AzuriteExtension shared() {
        return new AzuriteExtension();
    }

    /**
     * Returns an extension with a separate emulator.
     *
     * @return an extension for a field
     */
    public static AzuriteExtension fresh() {
        return fresh(builder -> {});
    }

    /**
     * Returns an extension with a separate emulator.
     *
     * @param settings changes the settings of the emulator; the access log is on unless changed
     * @return an extension for a field
     */
    public static AzuriteExtension fresh(Consumer<Azurite.Builder> settings) {
        return new AzuriteExtension(false, true, settings, System.getenv());
    }

    /**
     * Sets whether a dead or poisoned emulator is restarted before the next test; {@code true} unless set.
     *
     * @param on whether to check and restart
     * @return an extension that does so
     */
    public AzuriteExtension restartWhenPoisoned(boolean on) {
        return new AzuriteExtension(shared, on, settings, environment);
    }

    AzuriteExtension withEnvironment(Map<String, String> other) {
        return new AzuriteExtension(shared, restart, settings, other);
    }

    /**
     * Returns the storage of the tests that run now.
     *
     * @return the emulator's account, or the one that the environment names
     * @throws IllegalStateException if this extension was not registered, or its first class or test did not start yet
     */
    public TestStorage storage() {
        TestStorage current = storage;
        if (current == null) {
            throw new IllegalStateException(
                    "there is no storage before the first test class or test of this extension");
        }
        return current;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        prepare(context);
    }

    // An instance may take the storage in its constructor, and then has to see the ports after a restart.
    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        prepare(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        prepare(context);
    }

    // Not a TestWatcher: those are called after the test's own emulator was closed.
    @Override
    public void afterEach(ExtensionContext context) {
        context.getExecutionException()
                .filter(failure -> !(failure instanceof TestAbortedException))
                .flatMap(failure -> emulator(context).storage().azurite())
                .ifPresent(azurite -> FailureLog.write(context, azurite));
    }

    private void prepare(ExtensionContext context) {
        StoredEmulator emulator = emulator(context);
        if (restart) {
            emulator.restartWhenPoisoned();
        }
        storage = emulator.storage();
    }

    private StoredEmulator emulator(ExtensionContext context) {
        // A lookup goes on to the parents, so that methods and nested classes see what their class has made.
        // Surefire runs each class of a fork by a separate request, within one session: its store outlives them.
        Store store = shared ? context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE) : context.getStore(NAMESPACE);
        Object key = shared ? SHARED : this;
        return store.getOrComputeIfAbsent(key, any -> new StoredEmulator(open()), StoredEmulator.class);
    }

    private TestStorage open() {
        String external = external();
        if (!external.isBlank()) {
            return TestStorage.external(external);
        }
        Azurite.Builder builder = Azurite.builder().accessLog(true);
        settings.accept(builder);
        return TestStorage.of(builder.start());
    }

    private String external() {
        return environment.getOrDefault(TestStorage.VARIABLE, "");
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return !external().isBlank() && EmulatorNeeds.has(context)
                ? ConditionEvaluationResult.disabled("needs Azurite, but " + TestStorage.VARIABLE + " is set")
                : ConditionEvaluationResult.enabled("has the storage that it needs");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestStorage.class || type == Azurite.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestStorage current = emulator(context).storage();
        if (parameter.getParameter().getType() == TestStorage.class) {
            return current;
        }
        return current.azurite()
                .orElseThrow(() -> new ParameterResolutionException(
                        "no Azurite runs, because " + TestStorage.VARIABLE + " is set"));
    }

    /**
     * The storage of one scope of tests, closed with that scope.
     *
     * <p>JUnit closes what implements {@code AutoCloseable} since 5.13. Before that, the emulator ends with the JVM.
     */
    private record StoredEmulator(TestStorage storage) implements AutoCloseable {

        private static final Logger LOG = LoggerFactory.getLogger(StoredEmulator.class);

        // Tests may run in parallel: the first to notice restarts, the others wait and find it sound.
        synchronized void restartWhenPoisoned() {
            storage.azurite().filter(azurite -> !azurite.isHealthy()).ifPresent(azurite -> {
                LOG.warn("{} no longer works and is restarted", azurite);
                azurite.restart();
            });
        }

        @Override
        public void close() {
            storage.azurite().ifPresent(Azurite::close);
        }
    }
}
