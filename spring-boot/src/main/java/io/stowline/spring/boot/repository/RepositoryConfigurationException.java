package io.stowline.spring.boot.repository;

/** A repository that cannot be made as it is declared. */
final class RepositoryConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    RepositoryConfigurationException(String message, String action) {
        super(message);
        this.action = action;
    }

    /** Returns what to change, in the imperative. */
    String action() {
        return action;
    }
}
