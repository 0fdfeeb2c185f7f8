package io.stowline.spring.boot.account;

import io.stowline.Stowline;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The clients of an application by the names of their accounts: {@code stowline} for the default account, and the names below
 * {@code stowline.accounts}. The starter makes the one bean of this type.
 *
 * <p>Immutable and thread-safe.
 */
public final class AccountClients {

    /** The name of the default account, and the prefix of its properties. */
    public static final String MAIN = "stowline";

    private static final String BEAN_SUFFIX = "Stowline";

    private final ListableBeanFactory beans;
    private final ObjectProvider<Stowline> main;

    /**
     * Makes the clients.
     *
     * @param beans the application's beans
     * @param main the client that an injection by type finds, which is none of a further account
     */
    public AccountClients(ListableBeanFactory beans, ObjectProvider<Stowline> main) {
        this.beans = Objects.requireNonNull(beans, "beans");
        this.main = Objects.requireNonNull(main, "main");
    }

    /**
     * Returns the prefix of an account's properties.
     *
     * @param account the account's name
     * @return such as {@code stowline.accounts.archive}
     */
    public static String prefix(String account) {
        return account.equals(MAIN) ? MAIN : MAIN + ".accounts." + account;
    }

    /**
     * Returns the name of the bean of a further account's client.
     *
     * @param account the account's name below {@code stowline.accounts}
     * @return such as {@code archiveStowline}
     */
    public static String beanName(String account) {
        return account + BEAN_SUFFIX;
    }

    /**
     * Returns the client of an account, which is the default one unless it is named.
     *
     * @param user the property or the declaration that names the account, for the message of a failure
     * @param account the account's name; {@code null} for the default account
     * @return the client
     * @throws StowlineConfigurationException if a further account is not configured
     * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if the default account is not
     */
    public Stowline client(String user, @Nullable String account) {
        return account == null || account.equals(MAIN) ? main.getObject() : named(user, account);
    }

    /**
     * Returns the client of an account by its name only.
     *
     * @param user the property or the declaration that names the account, for the message of a failure
     * @param account the account's name, also that of the default account
     * @return the client
     * @throws StowlineConfigurationException if the account is not configured
     */
    public Stowline named(String user, String account) {
        Stowline client = account.equals(MAIN)
                ? main.getIfUnique()
                : hasFurther(account) ? beans.getBean(beanName(account), Stowline.class) : null;
        if (client == null) {
            throw new StowlineConfigurationException(
                    missing(user, account) + ".",
                    "Set the properties of the account under '" + prefix(account) + "', or name another one.");
        }
        return client;
    }

    /**
     * Returns whether a further account has a client. Makes none.
     *
     * @param account the account's name below {@code stowline.accounts}
     * @return whether it has one
     */
    public boolean hasFurther(String account) {
        return beans.containsBean(beanName(account));
    }

    /**
     * Describes an account that has no client.
     *
     * @param user what names the account
     * @param account the account's name
     * @return a sentence without a full stop, which begins with the user
     */
    public String missing(String user, String account) {
        TreeSet<String> known = new TreeSet<>();
        for (String bean : beans.getBeanNamesForType(Stowline.class, true, false)) {
            known.add(bean.endsWith(BEAN_SUFFIX) ? bean.substring(0, bean.length() - BEAN_SUFFIX.length()) : MAIN);
        }
        return user + " names the account '" + account + "', which is not configured; the accounts are " + known;
    }
}
