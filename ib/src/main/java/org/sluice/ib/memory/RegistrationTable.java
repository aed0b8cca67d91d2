package org.sluice.ib.memory;

/**
 * Registrations by the identity of their owners, of which each may have several. <i>Thread</i>: under the lock of the
 * cache.
 */
final class RegistrationTable {
    private Registration[] heads = new Registration[64];
    private int size;

    /** The one that covers this memory of this owner, or null; allocates nothing. */
    Registration find(Object owner, long address, long bytes) {
        for (Registration each = heads[place(System.identityHashCode(owner))]; each != null; each = each.next) {
            if (each.get() == owner && each.covers(address, bytes)) {
                return each;
            }
        }
        return null;
    }

    /** Any of this owner, or null. */
    Registration first(Object owner) {
        for (Registration each = heads[place(System.identityHashCode(owner))]; each != null; each = each.next) {
            if (each.get() == owner) {
                return each;
            }
        }
        return null;
    }

    private int place(int hash) {
        return hash & heads.length - 1;
    }

    void add(Registration registration) {
        if (size >= heads.length) {
            Registration[] old = heads;
            heads = new Registration[2 * old.length];
            for (Registration head : old) {
                for (Registration each = head; each != null; ) {
                    Registration next = each.next;
                    link(each);
                    each = next;
                }
            }
        }
        link(registration);
        size++;
    }

    private void link(Registration registration) {
        int place = place(registration.hash);
        registration.next = heads[place];
        heads[place] = registration;
    }

    void remove(Registration registration) {
        int place = place(registration.hash);
        Registration before = null;
        for (Registration each = heads[place]; each != null; before = each, each = each.next) {
            if (each == registration) {
                if (before == null) {
                    heads[place] = each.next;
                } else {
                    before.next = each.next;
                }
                each.next = null;
                size--;
                return;
            }
        }
    }

    int size() {
        return size;
    }
}
