package io.stowline.ring.internal.place;

import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The states of the services that the client of one account has opened. Thread-safe. */
public final class AccountServices implements StowlineListener {

    private final List<ServiceState> states = new CopyOnWriteArrayList<>();

    @Override
    public void onServiceOpened(ServiceState state) {
        states.add(state);
    }

    @Override
    public void onServiceClosed(ServiceState state) {
        states.remove(state);
    }

    /** Returns the states at present. */
    public List<ServiceState> states() {
        return List.copyOf(states);
    }
}
