package io.stowline.spring.boot.repository;

/**
 * A repository of a table, blocking or reactive: {@link TableRepository} or {@link ReactiveTableRepository}. An application extends one of
 * these and not this interface.
 *
 * @param <T> the type of the table's entities
 */
public interface StowlineRepository<T> {}
