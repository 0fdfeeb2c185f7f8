package io.stowline.testkit;

import io.stowline.testkit.internal.junit.FailureLog;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.opentest4j.TestAbortedException;

/**
 * An extension that gives JUnit tests a {@link FaultProxy} in front of an Azurite.
 *
 * <pre>{@code
 * final class LostAnswerTest {
 *     @RegisterExtension
 *     static final FaultProxyExtension PROXY = FaultProxyExtension.shared();
 *
 *     @Test
 *     void survivesALostAnswer(FaultProxy proxy) {
 *         proxy.when(requests().method("POST").nth(1)).loseResponse();
 *         connect(PROXY.storage().connectionString());
 *     }
 * }
 * }</pre>
 *
 * <p>The proxy serves one test class, or one test when the field is not static, and is closed afterwards; the emulator behind
 * it is that of an {@link AzuriteExtension}, restarted when it was poisoned, and the endpoints of {@link #storage()} stay.
 * Before each test connections are accepted, and rules and recordings are cleared: tests of one class that run in parallel
 * need a proxy each. When a test fails, what each rule did and what was recorded is written to {@code <test>.proxy.log},
 * beside the log of the emulator, and the file is named in the log and in the report of the test.
 *
 * <p>With the environment variable {@value TestStorage#VARIABLE} set, the proxy stands in front of the account that it names,
 * whose endpoints have to be spelled out and of plain http; otherwise tests fail with an {@code IllegalStateException}.
 */
@SuppressWarnings("exports") // JUnit is optional: a test that uses this class requires it
public final class FaultProxyExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                TestInstancePreConstructCallback,
                ParameterResolver,
                AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(FaultProxyExtension.class);

    private final AzuriteExtension azurite;
    private final Consumer<FaultProxy.Builder> settings;
    private volatile @Nullable FaultProxy proxy;

    /** Makes an extension in front of the shared emulator, for {@code @ExtendWith}. */
    public FaultProxyExtension() {
        this(AzuriteExtension.shared(), builder -> {});
    }

    private FaultProxyExtension(AzuriteExtension azurite, Consumer<FaultProxy.Builder> settings) {
        this.azurite = azurite;
        this.settings = settings;
    }

    /**
     * Returns an extension in front of the emulator that all classes of the test run share.
     *
     * @return an extension for a field
     */
    public static FaultProxyExtension shared() {
        return before(AzuriteExtension.shared());
    }

    /**
     * Returns an extension in front of a separate emulator.
     *
     * @return an extension for a field
     */
    public static FaultProxyExtension fresh() {
        return before(AzuriteExtension.fresh());
    }

    /**
     * Returns an extension in front of the emulator of another one, which need not be registered itself.
     *
     * @param azurite the extension whose emulator serves
     * @return an extension for a field
     */
    public static FaultProxyExtension before(AzuriteExtension azurite) {
        return new FaultProxyExtension(azurite, builder -> {});
    }

    /**
     * Changes the settings of the proxy.
     *
     * @param change called for each proxy that is started, after the changes that were given before
     * @return an extension with those settings
     */
    public FaultProxyExtension with(Consumer<FaultProxy.Builder> change) {
        return new FaultProxyExtension(azurite, settings.andThen(change));
    }

    /**
     * Refuses what the real services refuse.
     *
     * @param mode which rules, and what counts the refusals of all proxies of this extension
     * @return an extension with that setting
     */
    public FaultProxyExtension strict(StrictMode mode) {
        return with(builder -> builder.strict(mode));
    }

    /**
     * Returns the storage of the tests that run now, through the proxy.
     *
     * @return an account whose endpoints are those of the proxy
     * @throws IllegalStateException if this extension was not registered, or its first class or test did not start yet
     */
    public TestStorage storage() {
        return proxy().storage();
    }

    /**
     * Returns the proxy of the tests that run now.
     *
     * @return the proxy
     * @throws IllegalStateException if this extension was not registered, or its first class or test did not start yet
     */
    public FaultProxy proxy() {
        FaultProxy current = proxy;
        if (current == null) {
            throw new IllegalStateException("there is no proxy before the first test class or test of this extension");
        }
        return current;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        azurite.beforeAll(context);
        prepare(context);
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        azurite.preConstructTestInstance(factory, context);
        prepare(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        azurite.beforeEach(context);
        prepare(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        azurite.afterEach(context);
        context.getExecutionException()
                .filter(failure -> !(failure instanceof TestAbortedException))
                .ifPresent(failure -> FailureLog.write(context, stored(context).proxy()));
    }

    private void prepare(ExtensionContext context) {
        FaultProxy current = stored(context).proxy();
        current.accept();
        current.clear();
        proxy = current;
    }

    private StoredProxy stored(ExtensionContext context) {
        // A lookup goes on to the parents, so that methods and nested classes see what their class has made.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(this, any -> new StoredProxy(start()), StoredProxy.class);
    }

    private FaultProxy start() {
        FaultProxy.Builder builder = FaultProxy.builder().inFrontOf(azurite.storage());
        settings.accept(builder);
        return builder.start();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == FaultProxy.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return stored(context).proxy();
    }

    /** The proxy of one scope of tests, closed with that scope. */
    private record StoredProxy(FaultProxy proxy) implements AutoCloseable {

        @Override
        public void close() {
            proxy.close();
        }
    }
}
