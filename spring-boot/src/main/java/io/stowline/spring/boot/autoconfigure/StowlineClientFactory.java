package io.stowline.spring.boot.autoconfigure;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import io.stowline.Stowline;
import io.stowline.observe.StowlineListener;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.util.ClassUtils;

/** Makes the client of an account: connection, properties, listeners, threads, and then the customizers. */
final class StowlineClientFactory {

    /** The name of the default account, for customizers. */
    static final String DEFAULT_ACCOUNT = "stowline";

    private static final String JOURNAL = "io.stowline.journal.Journal";

    private final ListableBeanFactory beans;
    private final Environment environment;
    private final ObjectProvider<Stowline> main;

    /**
     * Makes the factory.
     *
     * @param main the client that an injection by type finds, which is none of a further account
     */
    StowlineClientFactory(ListableBeanFactory beans, Environment environment, ObjectProvider<Stowline> main) {
        this.beans = beans;
        this.environment = environment;
        this.main = main;
    }

    /** Returns the main client. */
    Stowline main() {
        return main.getObject();
    }

    Stowline create(String account, AccountProperties properties, StowlineConnectionDetails details) {
        String prefix = DEFAULT_ACCOUNT.equals(account)
                ? AccountProperties.PREFIX
                : AccountProperties.PREFIX + ".accounts." + account;
        openJournals();
        Stowline.Builder builder = Stowline.builder();
        try {
            connect(account, prefix, builder, details);
            new BuilderProperties(prefix, builder).apply(properties);
            List<StowlineListener> listeners = beans.getBeanProvider(StowlineListener.class)
                    .orderedStream()
                    .toList();
            if (!listeners.isEmpty()) {
                builder.listener(CompositeStowlineListener.of(listeners));
            }
            if (Threading.VIRTUAL.isActive(environment)) {
                builder.callbacks(new VirtualThreadTaskExecutor("stowline-callbacks-"));
            }
            beans.getBeanProvider(StowlineBuilderCustomizer.class)
                    .orderedStream()
                    .filter(customizer -> customizer.supports(account))
                    .forEach(customizer -> customizer.customize(builder));
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new StowlineConfigurationException(
                    "The client of Stowline cannot be made from the properties under '" + prefix + "': "
                            + e.getMessage(),
                    "Set one of: '" + prefix + ".connection-string'; '" + prefix + ".account-name' and '" + prefix
                            + ".account-key'; '" + prefix + ".endpoint' and '" + prefix + ".sas-token'; '" + prefix
                            + ".endpoint' beside a bean of type TokenCredential.",
                    e);
        }
    }

    private void connect(String account, String prefix, Stowline.Builder builder, StowlineConnectionDetails details) {
        PropertyMapper map = PropertyMapper.get();
        map.from(details::getConnectionString).to(builder::connectionString);
        map.from(details::getEndpoint).to(builder::endpoint);
        map.from(details::getTableEndpoint).to(builder::tableEndpoint);
        map.from(details::getQueueEndpoint).to(builder::queueEndpoint);
        map.from(details::getBlobEndpoint).to(builder::blobEndpoint);
        map.from(details::getAccountName).to(builder::accountName);
        String name = details.getAccountName();
        if (name != null && !hasEndpoint(details)) {
            builder.endpoint("https://" + name + ".blob.core.windows.net");
        }
        authorize(account, prefix, builder, details);
    }

    private static boolean hasEndpoint(StowlineConnectionDetails details) {
        return details.getConnectionString() != null
                || details.getEndpoint() != null
                || details.getTableEndpoint() != null
                || details.getQueueEndpoint() != null
                || details.getBlobEndpoint() != null;
    }

    private void authorize(String account, String prefix, Stowline.Builder builder, StowlineConnectionDetails details) {
        String key = details.getAccountKey();
        String sas = details.getSasToken();
        if (key != null && sas != null) {
            throw contradiction("Both '" + prefix + ".account-key' and '" + prefix + ".sas-token' are set.");
        }
        if (key != null) {
            String name = details.getAccountName();
            if (name == null) {
                throw contradiction(
                        "'" + prefix + ".account-key' is set without '" + prefix + ".account-name'.",
                        "Set '" + prefix + ".account-name' to the account of the key.");
            }
            builder.credential(new AzureNamedKeyCredential(name, key));
        } else if (sas != null) {
            sign(prefix + ".sas-token", builder, sas);
        } else if (!hasSecret(details.getConnectionString())) {
            TokenCredential token = token(account);
            if (token != null) {
                builder.credential(token);
            }
        }
    }

    private static void sign(String property, Stowline.Builder builder, String sas) {
        try {
            builder.credential(new AzureSasCredential(sas));
        } catch (IllegalArgumentException e) {
            throw contradiction(
                    "'" + property + "' cannot be used: " + e.getMessage(),
                    "Set '" + property + "' to a shared access signature, with or without a leading question mark.");
        }
    }

    private static boolean hasSecret(@Nullable String connectionString) {
        if (connectionString == null) {
            return false;
        }
        String settings = connectionString.toLowerCase(java.util.Locale.ROOT);
        return settings.contains("accountkey")
                || settings.contains("sharedaccesssignature")
                || settings.contains("usedevelopmentstorage");
    }

    /** A credential that is qualified by the account's name goes before the one of the application. */
    private @Nullable TokenCredential token(String account) {
        return BeanFactoryAnnotationUtils.qualifiedBeansOfType(beans, TokenCredential.class, account).values().stream()
                .findFirst()
                .orElseGet(() -> beans.getBeanProvider(TokenCredential.class).getIfAvailable());
    }

    /** A bean that is made first is closed last: a journal after the clients whose writers use it. */
    private void openJournals() {
        if (ClassUtils.isPresent(JOURNAL, null)) {
            beans.getBeansOfType(ClassUtils.resolveClassName(JOURNAL, null), false, true);
        }
    }

    private static StowlineConfigurationException contradiction(String what) {
        return contradiction(what, "Remove one of them.");
    }

    private static StowlineConfigurationException contradiction(String what, String action) {
        return new StowlineConfigurationException(what, action, null);
    }
}
